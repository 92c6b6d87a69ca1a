import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Recordings of cameras that give more than the disk or the processors take.
@Suite(.long) struct OverloadTests {
  private let folder: TemporaryFolder
  private let layouts: [FrameLayout]

  init() throws {
    folder = try TemporaryFolder()
    layouts = [
      try FrameLayout(.rgb24, width: 33, height: 17), try FrameLayout(.depthMillimeters16, width: 16, height: 9),
    ]
  }

  /// Colour and depth of each device.
  private func streams(deviceCount: Int) throws -> [StreamDescription] {
    try (0..<deviceCount).flatMap { device in
      var pair = [
        try TestFrames.stream("color-\(device)", .color, layouts[0]),
        try TestFrames.stream("depth-\(device)", .depth, layouts[1]),
      ]
      for index in pair.indices { pair[index].device = "test#\(device)" }
      return pair
    }
  }

  private func deliver(_ moments: Range<Int>, deviceCount: Int, to sink: any CaptureSink) {
    for index in moments {
      for stream in 0..<2 * deviceCount {
        sink.deliver(TestFrames.captured(layouts[stream % 2], stream: stream, index: index))
      }
    }
  }

  @Test func `a disk that stalls costs no frame where memory is there for it`() throws {
    let disk = GatedFileSystem()
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.waitingNanoseconds = 1_000_000_000_000
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: try streams(deviceCount: 32), options: options,
      fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    disk.close()
    deliver(0..<10, deviceCount: 32, to: sink)
    disk.open()
    let status = recorder.finish()
    #expect(status.failure == nil && status.droppedCount == 0)
    #expect(status.frameCounts == Array(repeating: 10, count: 64))
  }

  @Test(arguments: [true, false])
  func `what waits for a disk that stands still is bounded in time and in bytes`(isTime: Bool) throws {
    let disk = GatedFileSystem()
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    if isTime { options.waitingNanoseconds = 50_000_000 } else { options.waitingByteCount = 8000 }
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: try streams(deviceCount: 1), options: options,
      fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    disk.close()
    // Raw, a moment has 1971 bytes.
    deliver(0..<(isTime ? 1 : 5), deviceCount: 1, to: sink)
    if isTime { usleep(100_000) }
    // Nothing of these is taken, in whatever form the first ones wait.
    deliver(5..<105, deviceCount: 1, to: sink)
    disk.open()
    let status = recorder.finish()
    #expect(status.failure == nil)
    let dropped = try #require(status.dropped[.queue])
    #expect(dropped[0] == dropped[1])
    #expect(isTime ? dropped[0] == 100 : dropped[0] > 50)
    #expect(status.frameCounts[0] + dropped[0] == (isTime ? 101 : 105))
    // A moment is dropped whole.
    #expect(try Recording(path: folder.path("a.retake")).events().allSatisfy { $0.reason != .unpaired })
  }

  @Test(arguments: [0.3, 0.6, 0.9])
  func `an overload drops whole moments, and the same share of every camera`(capacity: Double) throws {
    let deviceCount = 8
    let period: Int64 = 33_333_333
    var policy = DropPolicy(streams: try streams(deviceCount: deviceCount))
    // Cameras at phases of their own, depth up to a third of a period before or after its colour.
    var frames: [(time: Int64, stream: Int, moment: Int)] = []
    for moment in 0..<600 {
      for device in 0..<deviceCount {
        let time = Int64(moment) * period + Int64(device) * period / 8
        frames.append((time, 2 * device, moment))
        frames.append((time + Int64(device - 4) * period / 12, 2 * device + 1, moment))
      }
    }
    frames.sort { ($0.time, $0.stream) < ($1.time, $1.stream) }
    // A queue that is emptied at a share of the pace at which it is filled.
    var waiting = 0.0
    var taken = Array(repeating: Set<Int>(), count: 2 * deviceCount)
    for frame in frames {
      waiting = max(0, waiting - capacity)
      let time = MonotonicTime(nanoseconds: frame.time)
      guard policy.takes(stream: frame.stream, arrival: time, load: waiting / 200) else { continue }
      waiting += 1
      taken[frame.stream].insert(frame.moment)
      #expect(waiting < 200 + Double(deviceCount))
    }
    let shares = (0..<deviceCount).map { Double(taken[2 * $0].count) / 600 }
    for device in 0..<deviceCount {
      #expect(taken[2 * device] == taken[2 * device + 1])
      #expect(abs(shares[device] - shares[0]) < 0.02)
      // All that could be written was taken.
      #expect(shares[device] > capacity - 0.02)
    }
  }

  @Test func `frames are encoded with less effort where the encoders are the bound, and not where the disk is`() throws
  {
    func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
    let slowEncoders = Backlog(byteLimit: 1 << 30, nanosecondLimit: 1000)
    for index in 0..<10 { slowEncoders.enter(byteCount: 100, at: time(Int64(index))) }
    #expect(slowEncoders.beginEncoding(at: time(10)) == .best)
    #expect(slowEncoders.beginEncoding(at: time(500)) == .fast)
    #expect(slowEncoders.load(at: time(500)) == 0.5)

    let slowDisk = Backlog(byteLimit: 1 << 30, nanosecondLimit: 1000)
    slowDisk.enter(byteCount: 100, at: time(0))
    #expect(slowDisk.beginEncoding(at: time(0)) == .best)
    slowDisk.endEncoding(rawByteCount: 100, byteCount: 50)
    slowDisk.enter(byteCount: 100, at: time(600))
    #expect(slowDisk.beginEncoding(at: time(900)) == .best)
    slowDisk.endEncoding(rawByteCount: 100, byteCount: 50)
    #expect(slowDisk.load(at: time(900)) == 0.9)
    for _ in 0..<2 { slowDisk.leave(byteCount: 50) }
    #expect(slowDisk.load(at: time(5000)) == 0)
  }
}

/// The real files, whose writes wait while a gate is closed.
private final class GatedFileSystem: FileSystem, @unchecked Sendable {
  // Unchecked because of the flag, which the condition guards.
  private let real = RealFileSystem()
  private let condition = NSCondition()
  private var isClosed = false

  func close() { condition.withLock { isClosed = true } }

  func open() {
    condition.withLock {
      isClosed = false
      condition.broadcast()
    }
  }

  fileprivate func pass() { condition.withLock { while isClosed { condition.wait() } } }

  private final class File: WritableFile {
    private let file: any WritableFile
    private let gate: GatedFileSystem

    init(_ file: any WritableFile, _ gate: GatedFileSystem) {
      self.file = file
      self.gate = gate
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int {
      gate.pass()
      return try file.write(bytes)
    }
    func truncate(to byteCount: Int) throws(RetakeError) { try file.truncate(to: byteCount) }
    func synchronize() throws(RetakeError) { try file.synchronize() }
  }

  func create(_ path: String) throws(RetakeError) -> any WritableFile { File(try real.create(path), self) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    try real.rename(path, to: newPath, replacing: replacing)
  }
  func remove(_ path: String) throws(RetakeError) { try real.remove(path) }
  func synchronizeFolder(_ path: String) throws(RetakeError) { try real.synchronizeFolder(path) }
  func space(of path: String) -> (free: Int, total: Int)? { real.space(of: path) }
}
