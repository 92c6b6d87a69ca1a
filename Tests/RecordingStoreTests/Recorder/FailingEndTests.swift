import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import Synchronization
import TestSupport
import Testing

/// Recordings that end while others look on, or while the disk fails.
@Suite(.long) struct FailingEndTests {
  private let folder: TemporaryFolder
  private let layout: FrameLayout
  private let streams: [StreamDescription]

  init() throws {
    folder = try TemporaryFolder()
    layout = try FrameLayout(.rgb24, width: 32, height: 24)
    streams = [try TestFrames.stream("color", .color, layout)]
  }

  @Test func `a mark that was acknowledged is in the recording, also while it is being finished`() throws {
    let place = RecordingFolder(path: folder.path("a.retake"))
    var options = RecorderOptions()
    options.chunkFileNanoseconds = 100_000_000
    options.waitsForDisk = true
    let recorder = try Recorder(folder: place, streams: streams, options: options, fileSystem: SlowFileSystem())
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<40 { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      _ = recorder.finish()
      ended.signal()
    }
    thread.start()
    var acknowledged = 0
    for _ in 0..<20 {
      usleep(50_000)
      let time = MonotonicTime(nanoseconds: 5_500_000_000)
      if (try? MarkInbox.send("late", at: time, to: place)) == true { acknowledged += 1 }
    }
    ended.wait()
    #expect(try Recording(path: place.path).marks().count == acknowledged)
  }

  @Test func `a program that reads the index while the recorder ends does not make the recording fail`() throws {
    let place = RecordingFolder(path: folder.path("a.retake"))
    var options = RecorderOptions()
    options.chunkFileNanoseconds = 100_000_000
    let recorder = try Recorder(folder: place, streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<10 { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: place.indexPath, configuration: configuration)
    try reader.inDatabase { database in
      try database.execute(sql: "BEGIN")
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM frame")
      for index in 10..<20 { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
      let status = recorder.finish()
      #expect(status.failure == nil, "\(String(describing: status.failure))")
      try database.execute(sql: "COMMIT")
    }
  }

  @Test func `an index and the same made again agree on marks and clocks after a disk failed`() throws {
    for operation in 4..<30 {
      let path = folder.path("a\(operation).retake")
      let disk = SimulatedDisk(seed: UInt64(operation), faultOperation: operation, fault: .inputOutputError)
      var options = RecorderOptions()
      options.chunkFileNanoseconds = 400_000_000
      options.waitsForDisk = true
      options.wallClockNanoseconds = 0
      options.id = String(repeating: "a", count: 32)
      let recorder = try Recorder(
        folder: RecordingFolder(path: path), streams: streams, options: options, fileSystem: disk)
      let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
      for index in 0..<40 {
        sink.deliver(
          TestFrames.captured(
            layout, stream: 0, index: index, arrival: 5_000_000_000 + Int64(index) * 33_333_333 - Int64(index) * 100_000
          ))
        if index % 3 == 0 {
          try recorder.mark("\(index)", at: MonotonicTime(nanoseconds: 5_000_000_000 + Int64(index) * 33_333_333))
        }
      }
      let status = recorder.finish()
      guard status.failure != nil, status.frameCounts[0] > 0, (try? Recording(path: path).isClosed) == true
      else { continue }
      for (name, bytes) in disk.files(afterPowerCut: false) {
        try Data(bytes).write(to: URL(fileURLWithPath: name))
      }
      func facts() throws -> [String] {
        try IndexDump.lines(path).filter { $0.hasPrefix("mark ") || $0.hasPrefix("stream ") || $0.hasPrefix("frame") }
      }
      let before = try facts()
      try FileManager.default.removeItem(atPath: path + "/index.sqlite")
      _ = try Repair.run(path: path)
      let after = try facts()
      let difference = Set(before).symmetricDifference(after).sorted().map { "\(before.contains($0) ? "-" : "+")\($0)" }
      #expect(difference.isEmpty, "operation \(operation)")
    }
  }

  @Test func `where a disk fills up the recording ends whole, with what waits in memory`() throws {
    let layout = try FrameLayout(.rgb24, width: 320, height: 240)
    let streams = [try TestFrames.stream("color", .color, layout)]
    var fullCount = 0
    for look in 2..<14 {
      let path = folder.path("full\(look).retake")
      var options = RecorderOptions()
      options.waitsForDisk = true
      let recorder = try Recorder(
        folder: RecordingFolder(path: path), streams: streams, options: options,
        fileSystem: FillingFileSystem(looksBeforeFull: look))
      let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
      for index in 0..<40 {
        sink.deliver(TestFrames.captured(layout, stream: 0, index: index))
        try? recorder.mark("\(index)", at: MonotonicTime(nanoseconds: 5_000_000_000 + Int64(index) * 33_333_333))
      }
      let status = recorder.finish()
      guard status.failure?.code == .diskFull, status.frameCounts[0] > 0 else { continue }
      fullCount += 1
      let recording = try Recording(path: path)
      #expect(recording.isClosed)
      let report = try Verification.run(recording)
      #expect(report.problems.isEmpty, "\(look): \(report.problems)")
    }
    #expect(fullCount >= 6)
  }
}

/// The real files, on a disk that other programs fill after some looks at its space.
private final class FillingFileSystem: FileSystem {
  private let real = RealFileSystem()
  private let looks: Mutex<Int>
  init(looksBeforeFull: Int) { looks = Mutex(looksBeforeFull) }

  func create(_ path: String) throws(RetakeError) -> any WritableFile { try real.create(path) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    try real.rename(path, to: newPath, replacing: replacing)
  }
  func remove(_ path: String) throws(RetakeError) { try real.remove(path) }
  func synchronizeFolder(_ path: String) throws(RetakeError) { try real.synchronizeFolder(path) }
  func space(of path: String) -> (free: Int, total: Int)? {
    let isFull = looks.withLock { looks in
      looks -= 1
      return looks < 0
    }
    return (isFull ? 0 : 1 << 40, 1 << 40)
  }
}

/// The real files, whose flushes take long.
private struct SlowFileSystem: FileSystem {
  private let real = RealFileSystem()
  func create(_ path: String) throws(RetakeError) -> any WritableFile { try real.create(path) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    try real.rename(path, to: newPath, replacing: replacing)
  }
  func remove(_ path: String) throws(RetakeError) { try real.remove(path) }
  func synchronizeFolder(_ path: String) throws(RetakeError) {
    usleep(150_000)
    try real.synchronizeFolder(path)
  }
  func space(of path: String) -> (free: Int, total: Int)? { real.space(of: path) }
}
