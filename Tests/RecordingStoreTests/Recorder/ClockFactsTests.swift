import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import TestSupport
import Testing

/// What a recording says of its clocks, and that it follows from the chunk files.
@Suite struct ClockFactsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let layout: FrameLayout

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    layout = try FrameLayout(.grey8, width: 8, height: 6)
  }

  private func stream(_ name: String, rate: Int = 30, settings: [StreamDescription.Setting] = []) throws
    -> StreamDescription
  {
    StreamDescription(
      name: name, kind: name == "color" ? .color : .depth, layout: layout, rate: try FrameRate(rate),
      clock: .microseconds, device: "test", settings: settings)
  }

  private func record(_ streams: [StreamDescription], _ deliver: (any CaptureSink) -> Void) throws -> Recording {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, options: options)
    deliver(recorder.sink(firstStream: 0, isLive: false) { _ in })
    #expect(recorder.finish().failure == nil)
    return try Recording(path: path)
  }

  /// Frame `index` of a camera whose clock runs 100 ppm fast and whose frames wait up to 4 ms.
  private func frame(
    _ index: Int, stream: Int = 0, flags: FrameFlags = [], tick: UInt64? = nil, sequence: UInt64? = nil,
    arrivalShift: Int64 = 0
  ) -> CapturedFrame {
    let taken = Int64(index) * 33_333_333
    var frame = TestFrames.captured(
      layout, stream: stream, index: index, tick: tick ?? UInt64(taken + taken / 10_000) / 1000 + 77_000_000,
      arrival: taken + 9_000_000_000 + Int64(index * 7919 % 4001) * 1000 + arrivalShift, flags: flags)
    if let sequence { frame.deviceSequence = sequence }
    return frame
  }

  @Test func `drift, delay and period are told, and an index made again tells the same`() throws {
    let recording = try record([try stream("color"), try stream("depth")]) { sink in
      for index in 0..<1200 {
        sink.deliver(frame(index, tick: index == 400 ? 5 : nil))
        if index % 5 != 3 { sink.deliver(frame(index, stream: 1)) }
      }
    }
    let before = try recording.summary()
    for stream in before.streams {
      let drift = try #require(stream.clock.driftPartsPerBillion)
      #expect(abs(drift - 100_000) < 8000, "\(drift)")
      let delay = try #require(stream.clock.delay)
      #expect(abs(delay.medianNanoseconds - 2_000_000) < 300_000)
      #expect(abs(delay.ninetyNinthNanoseconds - 3_960_000) < 300_000)
      let period = try #require(stream.clock.period)
      #expect(abs(period.medianNanoseconds - 33_333_333) < 200_000)
    }
    #expect(before.losses.filter { $0.reason == "wrong-timestamp" }.map(\.count) == [1])
    let rows = try IndexDump.lines(path)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    #expect(try Repair.run(path: path).isLossless)
    #expect(try IndexDump.lines(path) == rows)
    #expect(try Recording(path: path).summary() == before)
  }

  @Test func `a device that was opened again counts and ticks anew, on the same time line`() throws {
    let recording = try record([try stream("color"), try stream("depth")]) { sink in
      for index in 0..<300 {
        for stream in 0..<2 { sink.deliver(frame(index, stream: stream)) }
      }
      for index in 600..<900 {
        for stream in 0..<2 {
          // Its clock begins at zero, as its counter does.
          let tick = UInt64(index - 600) * 33_333
          sink.deliver(
            frame(
              index, stream: stream, flags: index == 600 ? .restarted : [], tick: tick, sequence: UInt64(index - 600)))
        }
      }
    }
    #expect(try recording.summary().losses.filter { $0.reason != "late" } == [])
    for stream in 0..<2 {
      let times = try recording.frameRows(stream: stream, from: 0, limit: 1000).map(
        \.timestamps.presentation.nanoseconds)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      for (place, index) in zip(450..<600, 750..<900) {
        #expect(abs(times[place] - Int64(index) * 33_333_333) < 4_000_000)
      }
    }
    #expect(try recording.frameSetCount() == 600)
    #expect(try Verification.run(recording).isWhole)
  }

  @Test func `stamps of the host's clock become times as they are; those from the future and zero are counted`() throws
  {
    let streams = [try stream("color", settings: [.hostMonotonicClock])]
    let wrong: [Int: UInt64] = [50: 0, 51: 9_000_000 + 55 * 33_333, 90: 900_000_000]
    let recording = try record(streams) { sink in
      for index in 0..<200 {
        sink.deliver(frame(index, tick: wrong[index] ?? 8_999_000 + UInt64(index) * 33_333))
      }
    }
    #expect(recording.streams[0].isHostTimed)
    let rows = try recording.frameRows(stream: 0, from: 0, limit: 1000)
    for row in rows where wrong[row.number] == nil {
      #expect(row.timestamps.presentation.nanoseconds == Int64(row.number) * 33_333_000)
    }
    let events = try recording.events().filter { $0.reason == .wrongTimestamp }
    #expect(events.map(\.count) == [2, 1])
    #expect(events.map(\.frameNumber) == [50, 90])
    #expect(try Verification.run(recording).isWhole)
  }

  @Test func `every frame in no set is counted with its reason`() throws {
    let recording = try record([try stream("color"), try stream("depth", rate: 15)]) { sink in
      for index in 0..<120 {
        if !(40...43).contains(index) { sink.deliver(frame(index)) }
        if index % 2 == 0, !(80...85).contains(index) { sink.deliver(frame(index, stream: 1)) }
      }
    }
    let events = try recording.events().filter { $0.stage == .pairing }
    var counts: [FrameEvent.Reason: Int] = [:]
    for event in events { counts[event.reason, default: 0] += event.count }
    #expect(counts == [.notDue: 58, .unpaired: 3, .noMaster: 2])
    #expect(events.count == 3)
    #expect(events.first { $0.reason == .noMaster }?.frameNumber == 20)
    let paired = try recording.frameSets(0..<1000).count { !$0.partners.isEmpty }
    #expect(paired == 116 - 58 - 3)
  }

  @Test func `a recording with an index of version 2 is opened, and gets what that did not know`() throws {
    let now = try record([try stream("color")]) { sink in for index in 0..<300 { sink.deliver(frame(index)) } }
      .summary()
    let queue = try DatabaseQueue(path: path + "/index.sqlite")
    try queue.write { database in
      for column in ["clock_drift_ppb", "delay_median_ns", "delay_p99_ns", "period_median_ns", "period_p99_ns"] {
        try database.execute(sql: "ALTER TABLE stream DROP COLUMN \(column)")
      }
      try database.execute(sql: "PRAGMA user_version = 2")
    }
    try queue.close()
    #expect(throws: RetakeError.self) { try Recording(path: path) }
    var repairs = 0
    let opened = try Recording.opening(path) { _ in repairs += 1 }
    #expect(repairs == 1)
    #expect(try opened.summary() == now)
  }

  @Test func `frames whose driver stamps their beginning are late only when they take longer than usual`() throws {
    let settings = [StreamDescription.Setting.hostMonotonicClock]
    let recording = try record([try stream("color", rate: 60, settings: settings)]) { sink in
      for index in 0..<300 {
        let taken = Int64(index) * 16_666_667 + 1_000_000_000
        // Two thirds of a period for the transfer, a third for waking up, and once two periods.
        let way: Int64 = 17_000_000 + Int64(index * 7919 % 1001) * 1000 + (index == 200 ? 33_000_000 : 0)
        sink.deliver(
          TestFrames.captured(layout, stream: 0, index: index, tick: UInt64(taken / 1000), arrival: taken + way))
      }
    }
    #expect(try recording.summary().losses.map { "\($0.reason) \($0.count)" } == ["late 1"])
  }
}
