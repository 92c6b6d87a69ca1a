import FrameModel
import RecordingStore
import TestSupport
import Testing

/// A recording of cameras one of which was away for a while.
@Suite struct RestartedDeviceTests {
  private let folder: TemporaryFolder
  private let layout: FrameLayout
  init() throws {
    folder = try TemporaryFolder()
    layout = try FrameLayout(.rgb24, width: 33, height: 17)
  }

  private func recorder(_ streams: [StreamDescription]) throws -> Recorder {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    return try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: streams, options: options)
  }

  private func frame(_ stream: Int, _ index: Int, tick: UInt64, at time: Int64, _ flags: FrameFlags = [])
    -> CapturedFrame
  {
    TestFrames.captured(layout, stream: stream, index: index, tick: tick, arrival: time, flags: flags)
  }

  @Test func `a device that was away leaves a gap with its length, and the recording is whole`() throws {
    var other = try TestFrames.stream("infrared", .infrared, layout)
    other.device = "test#1"
    let recorder = try recorder([try TestFrames.stream("color", .color, layout), other])
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let period: Int64 = 33_333_333
    let start: Int64 = 5_000_000_000
    for index in 0..<90 {
      let time = start + Int64(index) * period
      sink.deliver(frame(0, index, tick: UInt64(time / 1000), at: time))
      switch index {
      case ..<30: sink.deliver(frame(1, index, tick: UInt64(time / 1000) + 60_000_000, at: time))
      case 30:
        let loss = CaptureLoss(
          streamIndex: 1, reason: .disconnected, count: 1, arrival: MonotonicTime(nanoseconds: time))
        sink.report(loss)
      case 60...:
        if index == 60 {
          let loss = CaptureLoss(
            streamIndex: 1, reason: .disconnected, count: 29, arrival: MonotonicTime(nanoseconds: time))
          sink.report(loss)
        }
        // Its counter and its clock begin anew.
        sink.deliver(
          frame(1, index - 60, tick: UInt64(Int64(index - 60) * period / 1000), at: time, index == 60 ? .restarted : [])
        )
      default: break
      }
    }
    let status = recorder.finish()
    #expect(status.failure == nil && status.frameCounts == [90, 60] && status.droppedCount == 30)

    let recording = try Recording(path: folder.path("a.retake"))
    let gaps = try recording.events().filter { $0.reason == .disconnected }
    #expect(gaps.map(\.stream) == [1, 1] && gaps.map(\.count) == [1, 29])
    #expect(gaps.allSatisfy { $0.stage == .device && $0.isLoss && $0.frameNumber == 30 })
    // From when it went to when it came back.
    let span = (gaps.last?.presentation.nanoseconds ?? 0) - (gaps.first?.presentation.nanoseconds ?? 0)
    #expect(abs(span - 30 * period) < 2000)
    let rows = try recording.frameRows(stream: 1, from: 0, limit: 100)
    #expect(rows.map { $0.flags.contains(.restarted) } == (0..<60).map { $0 == 30 })
    for (row, index) in zip(rows, Array(0..<30) + Array(60..<90)) {
      #expect(abs(row.timestamps.presentation.nanoseconds - Int64(index) * period) < 2000, "\(row.number)")
    }
    // What the driver counts begins at 0 again, which is neither a loss nor a duplicate.
    #expect(try recording.events().allSatisfy { $0.reason == .disconnected || $0.stage == .pairing })
    let summary = try recording.summary()
    #expect(summary.frameSetCount == 90)
    #expect(try Verification.run(recording).isWhole)
  }

  @Test func `a Kinect's counter that wraps between its streams' first frames puts neither in the past`() throws {
    let kinect = try [("color", StreamKind.color), ("depth", .depth)].map { name, kind in
      var stream = try TestFrames.stream(name, kind, layout)
      stream.clock = .kinect
      return stream
    }
    let recorder = try recorder(kinect)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let start: Int64 = 5_000_000_000
    for index in 0..<60 {
      for stream in 0..<2 {
        // Depth begins half a second, 30 million ticks, after colour; the counter wraps in between.
        if stream == 1 && index < 15 { continue }
        let ticks = UInt64(0xFFFF_F000) + UInt64(index) * 2_000_000
        let time = start + Int64(index) * 33_333_333
        sink.deliver(frame(stream, index, tick: ticks & 0xFFFF_FFFF, at: time))
      }
    }
    #expect(recorder.finish().failure == nil)
    let summary = try Recording(path: folder.path("a.retake")).summary()
    #expect(summary.frameSetCount == 60)
    // What colour lacks at the beginning, and nothing late.
    #expect(summary.losses.map { "\($0.reason) \($0.count)" } == ["unpaired 15"])
    #expect(summary.durationSeconds < 2.1)
  }

  @Test func `when the first frame after a return finds no room, the next one says that counters began anew`() throws {
    let queue = CaptureQueue(
      limit: 1, streams: [try TestFrames.stream("color", .color, FrameLayout(.rgb24, width: 2, height: 2))])
    #expect(queue.push(frame(0, 0, tick: 1, at: 1), stream: 0, waits: false))
    #expect(!queue.push(frame(0, 1, tick: 2, at: 2, .restarted), stream: 0, waits: false))
    _ = queue.pop()
    #expect(queue.push(frame(0, 2, tick: 3, at: 3), stream: 0, waits: false))
    guard case .frame(let next, _, let droppedBefore, _) = queue.pop() else {
      Issue.record("no frame")
      return
    }
    #expect(next.flags.contains(.restarted) && droppedBefore == 1)
    #expect(queue.push(frame(0, 3, tick: 4, at: 4), stream: 0, waits: false))
    guard case .frame(let after, _, _, _) = queue.pop() else {
      Issue.record("no frame")
      return
    }
    #expect(!after.flags.contains(.restarted))
  }
}
