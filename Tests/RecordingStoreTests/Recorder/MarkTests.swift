import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Marks, what is kept around them, and sessions of several recordings.
@Suite struct MarkTests {
  private let folder: TemporaryFolder
  private let layouts: [FrameLayout]
  private let streams: [StreamDescription]
  private static let period: Int64 = 33_333_333

  init() throws {
    folder = try TemporaryFolder()
    (layouts, streams) = try TestFrames.colorAndDepth()
  }

  private func moment(_ index: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + Int64(index) * Self.period)
  }

  /// - Parameter marks: frame numbers at which one is set, when the frame a little later is delivered.
  @discardableResult
  private func record(
    _ name: String, frames: Int = 60, marks: [Int] = [], _ change: (inout RecorderOptions) -> Void = { _ in }
  ) throws -> RecorderStatus {
    let options = RecorderOptions.reproducible(change)
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<frames {
      for stream in 0..<2 {
        sink.deliver(
          TestFrames.captured(layouts[stream], stream: stream, index: index, faces: stream == 0 ? [Self.face] : []))
      }
      // A mark reaches the recorder a little after its moment.
      if marks.contains(index - 1) { try recorder.mark("at \(index - 1)", at: moment(index - 1)) }
    }
    let status = recorder.finish()
    #expect(status.failure == nil)
    return status
  }

  private static let face = FaceObservation(
    box: .init(x: 1, y: 2, width: 3, height: 4), confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: "test")

  /// The device's counter of each frame: which of those delivered it is.
  private func sequences(_ path: String, stream: Int) throws -> [Int] {
    try Recording(path: path).frameRows(stream: stream, from: 0, limit: 10_000).map { Int($0.deviceSequence!) }
  }

  private func checkWhole(_ path: String) throws {
    let recording = try Recording(path: path)
    let report = try Verification.run(recording)
    #expect(report.isWhole, "\(report.problems)")
    for stream in 0..<2 {
      let rows = try recording.frameRows(stream: stream, from: 0, limit: 10_000)
      #expect(rows.map(\.number) == Array(0..<rows.count))
    }
    let before = try IndexDump.lines(path)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    #expect(try Repair.run(path: path).isLossless)
    #expect(try IndexDump.lines(path) == before)
  }

  // MARK: Marks

  @Test func `marks are where they were set, also after the index was lost`() throws {
    let status = try record("a.retake", marks: [10, 40])
    #expect(status.markCount == 2)
    let path = folder.path("a.retake")
    let marks = try Recording(path: path).marks()
    #expect(marks.map(\.label) == ["at 10", "at 40"])
    #expect(marks.map(\.presentation.nanoseconds) == [10 * Self.period, 40 * Self.period])
    try checkWhole(path)
  }

  @Test func `a mark set afterwards is a chunk file of its own, and is found in order`() throws {
    try record("a.retake", marks: [40])
    let path = folder.path("a.retake")
    for (label, time) in [("late", 50 * Self.period), ("early – äöü", 5 * Self.period)] {
      let mark = try Mark(label: label, presentation: PresentationTime(nanoseconds: time))
      try MarkEditor.add([mark], to: Recording(path: path))
    }
    #expect(try Recording(path: path).marks().map(\.label) == ["early – äöü", "at 40", "late"])
    #expect(try Recording(path: path).isClosed)
    try checkWhole(path)
    #expect(throws: RetakeError.self) {
      try Mark(label: "two\nlines", presentation: PresentationTime(nanoseconds: 0))
    }
    #expect(throws: RetakeError.self) {
      try Mark(label: String(repeating: "x", count: 201), presentation: PresentationTime(nanoseconds: 0))
    }
  }

  @Test func `another process reaches the recorder of a folder, and nobody when it is gone`() throws {
    let place = RecordingFolder(path: folder.path("a.retake"))
    let recorder = try Recorder(folder: place, streams: streams)
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: 0))
    // The recorder's thread opens its door before it takes its first frame.
    while recorder.status.frameCounts[0] == 0 { usleep(1000) }
    #expect(try MarkInbox.send("hello", at: moment(3), to: place))
    #expect(throws: RetakeError.self) { try MarkInbox.send("two\nlines", at: moment(3), to: place) }
    #expect(recorder.finish().markCount == 1)
    #expect(try Recording(path: place.path).marks().map(\.presentation.nanoseconds) == [3 * Self.period])
    #expect(try MarkInbox.send("hello", at: moment(3), to: place) == false)
    #expect(try MarkInbox.send("hello", at: moment(3), to: RecordingFolder(path: folder.path("none"))) == false)
  }

  @Test func `marks pass between a user's own processes and from root, and root takes those of root alone`() {
    #expect(MarkInbox.isTrusted(1000, by: 1000, folderOwner: nil))
    #expect(MarkInbox.isTrusted(0, by: 1000, folderOwner: nil))
    #expect(!MarkInbox.isTrusted(1001, by: 1000, folderOwner: nil))
    #expect(MarkInbox.isTrusted(0, by: 0, folderOwner: nil))
    #expect(!MarkInbox.isTrusted(1000, by: 0, folderOwner: nil))
    // Root gives its marks to the recorder of a user's own folder, and to nobody who only took the name.
    #expect(MarkInbox.isTrusted(1000, by: 0, folderOwner: 1000))
    #expect(!MarkInbox.isTrusted(1001, by: 0, folderOwner: 1000))
    #expect(!MarkInbox.isTrusted(1001, by: 1000, folderOwner: 1001))
  }

  // MARK: Only what is near a mark

  @Test func `only what lies around marks is kept, numbered without holes, and the rest is said`() throws {
    let status = try record("a.retake", frames: 200, marks: [50, 60, 150]) {
      $0.markWindow = MarkWindowOptions(
        prerollNanoseconds: 10 * Self.period + 1000, postrollNanoseconds: 5 * Self.period)
    }
    let path = folder.path("a.retake")
    let kept = Array(40...65) + Array(140...155)
    #expect(try sequences(path, stream: 0) == kept)
    #expect(try sequences(path, stream: 1) == kept)
    #expect(status.frameCounts == [kept.count, kept.count])
    let recording = try Recording(path: path)
    #expect(try recording.frameSetCount() == kept.count)
    #expect(try recording.summary().faceFrameCount == kept.count)
    let left = try recording.events().filter { $0.stream == 0 && $0.reason == .notKept }
    #expect(left.map(\.count) == [40, 74, 44])
    #expect(left.map(\.frameNumber) == [0, 26, kept.count])
    #expect(try recording.events().allSatisfy { !$0.isLoss })
    // On the session's time line.
    #expect(try recording.start().nanoseconds / 1000 == 40 * Self.period / 1000)
    try checkWhole(path)
  }

  @Test func `without a mark nothing is kept, and the ring's memory is bounded`() throws {
    let status = try record("a.retake") {
      $0.markWindow = MarkWindowOptions(prerollNanoseconds: 1 << 40, postrollNanoseconds: 1)
    }
    #expect(status.frameCounts == [0, 0])
    #expect(try Folder.names(in: folder.path("a.retake/chunks")).isEmpty)

    var options = MarkWindowOptions(prerollNanoseconds: 1 << 40, postrollNanoseconds: 1)
    options.byteLimit = 20_000
    try record("b.retake", frames: 100, marks: [98]) { $0.markWindow = options }
    let kept = try sequences(folder.path("b.retake"), stream: 0)
    #expect(kept.last == 99 && kept.count < 40 && kept.count > 3)
    #expect(kept == Array(kept[0]...99))
    try checkWhole(folder.path("b.retake"))
  }

  // MARK: Limits

  @Test(arguments: [false, true])
  func `a session is split into recordings on one time line, with no frame lost between them`(bySize: Bool) throws {
    let status = try record("a.retake", frames: 120, marks: [100]) {
      $0.split = SplitOptions(nanoseconds: bySize ? nil : 1_000_000_000, byteCount: bySize ? 150_000 : nil)
    }
    let paths = status.folders.map(\.path)
    #expect(paths[0] == folder.path("a-000.retake") && paths[1] == folder.path("a-001.retake"))
    #expect(paths.count >= 3)
    #expect(status.frameCounts == [120, 120])
    var all: [[Int]] = [[], []]
    var ids: Set<String> = []
    var end: Int64 = -1
    for path in paths {
      for stream in 0..<2 { all[stream] += try sequences(path, stream: stream) }
      let recording = try Recording(path: path)
      ids.insert(recording.identity.id)
      #expect(recording.identity.monotonicOrigin == moment(0))
      #expect(try recording.start().nanoseconds > end)
      end = try #require(try recording.summary().streams.compactMap(\.lastPresentation).max()).nanoseconds
      try checkWhole(path)
    }
    #expect(all == [Array(0..<120), Array(0..<120)])
    #expect(ids.count == paths.count)
    #expect(try paths.flatMap { try Recording(path: $0).marks() }.map(\.label) == ["at 100"])
    // Equal input, equal recordings.
    let again = try record("b.retake", frames: 120, marks: [100]) {
      $0.split = SplitOptions(nanoseconds: bySize ? nil : 1_000_000_000, byteCount: bySize ? 150_000 : nil)
    }
    for (a, b) in zip(status.folders, again.folders) {
      let files = try Folder.names(in: a.chunksPath)
      #expect(try Folder.names(in: b.chunksPath) == files)
      for name in files {
        #expect(
          areSame(try FileBytes.read(a.chunksPath + "/" + name), try FileBytes.read(b.chunksPath + "/" + name)))
      }
    }
  }

  @Test func `a largest size is kept, and what is beyond it is no loss`() throws {
    let limit = 300_000
    let status = try record("a.retake", frames: 300) { $0.largestByteCount = limit }
    #expect(status.isFull && status.droppedCount == 0)
    let path = folder.path("a.retake")
    let files = try Recording(path: path).chunkFiles()
    let bytes = files.reduce(0) { $0 + $1.byteCount }
    #expect(bytes <= limit && bytes > limit / 2)
    #expect(try sequences(path, stream: 0) == Array(0..<status.frameCounts[0]))
    try checkWhole(path)
  }

  // MARK: Trim

  @Test func `a part has its frames bit for bit, whole frame sets, faces, events and marks`() throws {
    try record("a.retake", frames: 100, marks: [30, 50, 80])
    let source = try Recording(path: folder.path("a.retake"))
    try MarkEditor.add(
      [try Mark(label: "later", presentation: PresentationTime(nanoseconds: 45 * Self.period))], to: source)
    let whole = try Recording(path: source.folder.path)
    let part = try FrameSelection(whole, frameSets: 40..<70)
    let report = try Trim.run(whole, part, into: RecordingFolder(path: folder.path("b.retake")))
    #expect(report.frameCounts == [30, 30] && report.damage.isEmpty && report.markCount == 2)
    let trimmed = try Recording(path: folder.path("b.retake"))
    #expect(try trimmed.frameSetCount() == 30)
    #expect(try trimmed.start().nanoseconds == 0)
    #expect(try trimmed.marks().map(\.label) == ["later", "at 50"])
    #expect(try trimmed.summary().faceFrameCount == 30)
    let shift = part.start.nanoseconds
    #expect(trimmed.identity.monotonicOrigin.nanoseconds == whole.identity.monotonicOrigin.nanoseconds + shift)
    for stream in 0..<2 {
      let before = try whole.frameRows(stream: stream, from: 40, limit: 30)
      let after = try trimmed.frameRows(stream: stream, from: 0, limit: 100)
      #expect(after.map(\.checksum) == before.map(\.checksum))
      #expect(
        after.map(\.timestamps.presentation.nanoseconds)
          == before.map { $0.timestamps.presentation.nanoseconds - shift })
      #expect(after.map(\.timestamps.arrival) == before.map(\.timestamps.arrival))
    }
    try checkWhole(folder.path("b.retake"))
    // The same part again is the same recording.
    _ = try Trim.run(whole, part, into: RecordingFolder(path: folder.path("c.retake")))
    for name in try Folder.names(in: folder.path("b.retake/chunks")) {
      #expect(
        areSame(
          try FileBytes.read(folder.path("b.retake/chunks/" + name)),
          try FileBytes.read(folder.path("c.retake/chunks/" + name))))
    }
  }

  @Test func `a part that is nowhere is refused, and a damaged file costs only its frames`() throws {
    try record("a.retake", frames: 100) { $0.chunkFileNanoseconds = 1_000_000_000 }
    let path = folder.path("a.retake")
    let whole = try Recording(path: path)
    #expect(throws: RetakeError.self) { try FrameSelection(whole, frameSets: 100..<200) }
    #expect(throws: RetakeError.self) { try FrameSelection(whole, frameSets: 50..<50) }
    #expect(throws: RetakeError.self) { try whole.presentation(of: .mark(label: "none")) }
    var bytes = try FileBytes.read(path + "/chunks/000001.mcap")
    bytes[bytes.count / 2] ^= 1
    try FileBytes.write(bytes, to: path + "/chunks/000001.mcap")
    let report = try Trim.run(
      whole, try FrameSelection(whole, frameSets: 0..<100), into: RecordingFolder(path: folder.path("b.retake")))
    #expect(!report.damage.isEmpty && report.damage.allSatisfy { $0.contains("000001.mcap") })
    #expect(report.frameCounts.reduce(0, +) == 199)
    try checkWhole(folder.path("b.retake"))
  }
}
