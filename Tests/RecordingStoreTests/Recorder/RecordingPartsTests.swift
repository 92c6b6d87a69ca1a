import ChunkFormat
import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import Synchronization
import TestSupport
import Testing

/// Parts of recordings, around marks and limits, and marks that are added to them.
@Suite struct RecordingPartsTests {
  private let folder: TemporaryFolder
  private let layouts: [FrameLayout]
  private let streams: [StreamDescription]
  private static let period: Int64 = 33_333_333

  init() throws {
    folder = try TemporaryFolder()
    (layouts, streams) = try TestFrames.colorAndDepth()
  }

  @discardableResult
  private func record(
    _ name: String, frames: Int = 60, _ change: (inout RecorderOptions) -> Void = { _ in }
  ) throws -> RecorderStatus {
    let options = RecorderOptions.reproducible(change)
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<frames {
      for stream in 0..<2 {
        sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index))
      }
    }
    return recorder.finish()
  }

  private func mark(_ label: String, _ nanoseconds: Int64) throws -> Mark {
    try Mark(label: label, presentation: PresentationTime(nanoseconds: nanoseconds))
  }

  @Test func `marks added through one opened recording, one after the other, are all there`() throws {
    try record("a.retake")
    let recording = try Recording(path: folder.path("a.retake"))
    // As 'retake mark --at 1s' does before the lock is taken: this reads the table of chunk files.
    _ = try recording.presentation(of: .time(nanoseconds: 0))
    try MarkEditor.add([try mark("first", 1)], to: Recording(path: folder.path("a.retake")))
    try? MarkEditor.add([try mark("second", 2)], to: recording)
    _ = try Repair.run(path: recording.folder.path)
    let labels = try Recording(path: recording.folder.path).marks().map(\.label)
    #expect(labels.contains("first"))
  }

  @Test func `a mark never takes the place of a chunk file that the index does not know yet`() throws {
    // A recorder that is killed between a file's rename and its rows.
    try record("a.retake", frames: 90) { $0.chunkFileNanoseconds = 1_000_000_000 }
    let path = folder.path("a.retake")
    let last = try #require(try Recording(path: path).chunkFiles().last).number
    let queue = try DatabaseQueue(path: path + "/index.sqlite")
    try queue.write { database in
      for sql in [
        "DELETE FROM chunk_file WHERE id = \(last)", "DELETE FROM chunk_stream WHERE chunk_file = \(last)",
        "DELETE FROM frame WHERE chunk_file = \(last)", "UPDATE recording SET is_closed = 0",
      ] { try database.execute(sql: sql) }
    }
    try queue.close()
    let file = RecordingFolder(path: path).chunkFilePath(last)
    let before = try FileBytes.read(file)
    try? MarkEditor.add([try mark("x", 1)], to: Recording(path: path))
    #expect(areSame(try FileBytes.read(file), before))
    let report = try Repair.run(path: path)
    #expect(report.frameCounts == [90, 90])
  }

  @Test func `every folder that was made for a recording is flushed to the disk`() throws {
    let disk = FolderLog()
    let path = folder.path("new/newer/a.retake")
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(
      folder: RecordingFolder(path: path), streams: streams, options: options, fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: 0))
    try #require(recorder.finish().failure == nil)
    // The folder that was there has an entry of the first that was made, and so on.
    let changed = ["", "/new", "/new/newer", "/new/newer/a.retake", "/new/newer/a.retake/chunks"]
    let paths = Set(changed.map { folder.path + $0 })
    #expect(Set(disk.flushed) == paths)
  }

  @Test func `parts of a session are counted by their numbers, not sorted as text`() throws {
    for name in ["s-998", "s-1000", "s-101", "s-0999", "s-12", "s-999999999999999999999", "t-1001"] {
      try Folder.make(folder.path("\(name).retake"))
    }
    let parts = RecordingFolder(path: folder.path("s.retake")).existingParts()
    #expect(parts.map(\.path) == ["s-101", "s-998", "s-1000"].map { folder.path($0 + ".retake") })
  }

  @Test func `the largest size holds for the parts of a split session together`() throws {
    let status = try record("a.retake", frames: 300) {
      $0.largestByteCount = 300_000
      $0.split = SplitOptions(nanoseconds: nil, byteCount: 150_000)
    }
    let bytes = try status.folders.flatMap { try Recording(path: $0.path).chunkFiles() }.reduce(0) { $0 + $1.byteCount }
    #expect(bytes <= 300_000)
  }

  @Test func `behind the largest size no event is recorded`() throws {
    // How many frames are on their way through the encoders then is a matter of time.
    var options = RecorderOptions()
    options.largestByteCount = 1 << 20
    options.keepFreeByteCount = 0
    let place = RecordingFolder(path: folder.path("a.retake"))
    let files = try RecordingParts(place, streams: streams, options: options, fileSystem: RealFileSystem())
    files.begin(
      RecordingIdentity(
        id: String(repeating: "0", count: 32), wallClockNanoseconds: 0, monotonicOrigin: MonotonicTime(nanoseconds: 0)))
    let time = PresentationTime(nanoseconds: 0)
    func frame(_ number: Int, _ byteCount: Int) -> RecordEntry {
      .frame(
        FrameMessage(
          number: number, layout: layouts[0], byteCount: byteCount, deviceSequence: nil,
          timestamps: FrameTimestamps(
            deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0), presentation: time),
          flags: [], codec: .raw, checksum: 0), payload: Array(repeating: 0, count: byteCount), stream: 0)
    }
    files.write(frame(0, 1000))
    files.write(frame(1, 1 << 20))
    #expect(files.isFull)
    files.write(
      .event(
        FrameEvent(stream: 0, stage: .device, reason: .dropped, frameNumber: 2, count: 1, presentation: time)))
    files.close()
    #expect(try Recording(path: place.path).events().allSatisfy { $0.stage != .device })
    #expect(files.status.droppedCount == 0)
  }

  @Test func `frames that a part of a recording lacks are accounted for in it`() throws {
    try record("a.retake", frames: 100) { $0.chunkFileNanoseconds = 1_000_000_000 }
    let path = folder.path("a.retake")
    let whole = try Recording(path: path)
    let bytes = try FileBytes.read(path + "/chunks/000001.mcap")
    try FileBytes.write(Array(bytes[..<(bytes.count / 2)]), to: path + "/chunks/000001.mcap")
    let report = try Trim.run(
      whole, try FrameSelection(whole, frameSets: 0..<100), into: RecordingFolder(path: folder.path("b.retake")))
    let trimmed = try Recording(path: folder.path("b.retake"))
    for stream in 0..<2 {
      let lost = try trimmed.events().filter { $0.stream == stream && $0.isLoss }.reduce(0) { $0 + $1.count }
      #expect(report.frameCounts[stream] + lost == 100)
      let numbers = try trimmed.frameRows(stream: stream, from: 0, limit: 1000).map(\.number)
      #expect(numbers == Array(0..<numbers.count))
    }
  }

  @Test func `a part that begins at a mark has that mark`() throws {
    try record("a.retake")
    let path = folder.path("a.retake")
    try MarkEditor.add([try mark("fall", 10 * Self.period + 1_000_000)], to: Recording(path: path))
    let whole = try Recording(path: path)
    let start = try whole.firstFrameSet(from: try whole.presentation(of: .mark(label: "fall")))
    let report = try Trim.run(
      whole, try FrameSelection(whole, frameSets: start..<60), into: RecordingFolder(path: folder.path("b.retake")))
    #expect(report.markCount == 1)
  }

  @Test func `frames within the post-roll are kept whichever stream's come first`() throws {
    // Colour comes a little before the depth of the same moment, and is a little later on the time line.
    var window = MarkWindow(
      MarkWindowOptions(prerollNanoseconds: 100, postrollNanoseconds: 1000), streamCount: 2)
    var written: [RecordEntry] = []
    func frame(_ stream: Int, _ number: Int, _ time: Int64) -> RecordEntry {
      .frame(
        FrameMessage(
          number: number, layout: layouts[stream], byteCount: 0, deviceSequence: nil,
          timestamps: FrameTimestamps(
            deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: time),
            presentation: PresentationTime(nanoseconds: time)), flags: [], codec: .raw, checksum: 0),
        payload: [], stream: stream)
    }
    window.pass(.mark(try mark("", 0))) { written.append($0) }
    window.pass(frame(0, 0, 1001)) { written.append($0) }
    window.pass(frame(1, 0, 999)) { written.append($0) }
    window.finish { written.append($0) }
    let depth = written.contains { if case .frame(_, _, 1) = $0 { true } else { false } }
    #expect(depth)
  }
}

/// The machine's own disk, which notes the folders that are flushed.
private final class FolderLog: FileSystem {
  private let paths = Mutex<[String]>([])
  private let real = RealFileSystem()

  var flushed: [String] {
    paths.withLock { $0.map { path in path.hasSuffix("/") ? String(path.dropLast()) : path } }
  }

  func create(_ path: String) throws(RetakeError) -> any WritableFile { try real.create(path) }

  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    try real.rename(path, to: newPath, replacing: replacing)
  }

  func remove(_ path: String) throws(RetakeError) { try real.remove(path) }

  func synchronizeFolder(_ path: String) throws(RetakeError) {
    try real.synchronizeFolder(path)
    paths.withLock { $0.append(path) }
  }

  func space(of path: String) -> (free: Int, total: Int)? { real.space(of: path) }
}
