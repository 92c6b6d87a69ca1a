import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import TestSupport
import Testing

/// What a repair does with files that are damaged, newer, or not there.
@Suite(.long) struct RepairTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path, marks: ["here"])
  }

  private func chunk(_ number: Int, _ suffix: String = "") -> String {
    path + "/chunks/" + RecordingFolder.chunkFileName(number) + suffix
  }

  /// Makes the last chunk file one that was being written, and the recording one that was not closed.
  private func unfinishLast(_ change: (inout [UInt8]) -> Void = { _ in }) throws {
    var bytes = try FileBytes.read(chunk(3))
    change(&bytes)
    try FileManager.default.removeItem(atPath: chunk(3))
    try FileBytes.write(bytes, to: chunk(3, ".partial"))
    try IndexDump.change(path, "UPDATE recording SET is_closed = 0")
  }

  /// Of each stream, the numbers from 0 to `end` that are missing and the frames that events of a disk account for.
  private func missing(_ ends: [Int]) throws -> (numbers: [Int], accounted: [Int]) {
    let recording = try Recording(path: path)
    let events = try recording.events().filter { $0.stage == .disk && $0.reason == .dropped }
    let numbers = try ends.indices.map { stream in
      let found = Set(try recording.frameRows(stream: stream, from: 0, limit: 1000).map(\.number))
      return (0..<ends[stream]).count { !found.contains($0) }
    }
    let accounted = ends.indices.map { stream in events.filter { $0.stream == stream }.reduce(0) { $0 + $1.count } }
    return (numbers, accounted)
  }

  /// Rows that the index has otherwise than before.
  private func difference(_ lines: [String]) throws -> [String] {
    Set(try IndexDump.lines(path)).symmetricDifference(lines).sorted()
  }

  @Test func `a single wrong byte of an unfinished file costs no frame, wherever it is`() throws {
    let whole = try FileBytes.read(chunk(3))
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    let lines = try IndexDump.lines(path)
    for position in Sample.of(stride(from: 0, to: whole.count, by: 83), count: 30) {
      for name in ["", ".partial.damaged"] { try? FileManager.default.removeItem(atPath: chunk(3, name)) }
      var damaged = whole
      damaged[position] ^= UInt8(1 << (position % 8))
      try FileBytes.write(damaged, to: chunk(3, ".partial"))
      let report = try Repair.run(path: path)
      #expect(report.frameCounts == ends, "byte \(position): \(report.damage)")
      let rows = try difference(lines)
      #expect(rows.isEmpty, "byte \(position): \(rows.prefix(4))")
    }
  }

  @Test func `wherever bytes of an unfinished file are wrong, every missing number has an event`() throws {
    let whole = try FileBytes.read(chunk(3))
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    let rows = try Recording(path: path).frameRows(chunkFile: 3)
    let first = rows.map(\.place.offset).min()!
    let last = rows.map { $0.place.offset + $0.place.length }.max()!
    var lossCount = 0
    for position in Sample.of(stride(from: first, to: last, by: 97), count: 30) {
      for name in ["", ".partial.damaged"] { try? FileManager.default.removeItem(atPath: chunk(3, name)) }
      var damaged = whole
      damaged[position] ^= 0x10
      damaged[position + 40] ^= 0x21
      try FileBytes.write(damaged, to: chunk(3, ".partial"))
      let report = try Repair.run(path: path)
      #expect(!report.isLossless, "byte \(position)")
      let (numbers, accounted) = try missing(ends)
      #expect(numbers == accounted, "byte \(position): \(report.damage)")
      lossCount += numbers.reduce(0, +)
      #expect(try Verification.run(Recording(path: path)).problems.isEmpty, "byte \(position)")
      // What was found once is found again by whatever reads the finished files.
      let lines = try IndexDump.lines(path)
      try FileManager.default.removeItem(atPath: chunk(3, ".partial.damaged"))
      #expect(try Repair.run(path: path).isLossless == true, "byte \(position)")
      let rows = try difference(lines)
      #expect(rows.isEmpty, "byte \(position): \(rows.prefix(4))")
    }
    #expect(lossCount > (Sample.isWhole ? 5 : 0))
  }

  @Test func `what could not be read is tried again by the next repair`() throws {
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    let row = try #require(try Recording(path: path).frameRows(chunkFile: 3).first)
    let position = row.place.offset + row.place.length - 9
    try unfinishLast { bytes in for place in [position - 3, position] { bytes[place] ^= 1 } }
    let first = try Repair.run(path: path)
    #expect(!first.isLossless)
    let counts = (before: ends.reduce(0, +), after: first.frameCounts.reduce(0, +))
    #expect(counts.after == counts.before - 1)
    #expect(try RecordingFolder(path: path).damagedChunkFiles() == ["000003.mcap.partial.damaged"])
    // As where the disk had given other bytes than those that lie on it.
    var kept = try FileBytes.read(chunk(3, ".partial.damaged"))
    for place in [position - 3, position] { kept[place] ^= 1 }
    try FileBytes.write(kept, to: chunk(3, ".partial.damaged"))
    let second = try Repair.run(path: path)
    #expect(second.frameCounts == ends)
    #expect(try missing(ends).accounted == [0, 0])
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `frames that a cut chunk file has no more are accounted for as far as the index knew them`() throws {
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    let bytes = try FileBytes.read(chunk(3))
    try FileBytes.write(Array(bytes[..<(bytes.count / 2)]), to: chunk(3))
    for _ in 0..<2 {
      #expect(try !Repair.run(path: path).isLossless)
      let (numbers, accounted) = try missing(ends)
      #expect(numbers == accounted && numbers[0] > 0)
    }
  }

  @Test func `frames of a chunk file that was missing at a repair, and is back, are not lost`() throws {
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    let lines = try IndexDump.lines(path)
    try unfinishLast()
    for number in [1, 2] { try FileManager.default.moveItem(atPath: chunk(number), toPath: folder.path("\(number)")) }
    _ = try Repair.run(path: path)
    let both = try missing(ends)
    try FileManager.default.moveItem(atPath: folder.path("1"), toPath: chunk(1))
    _ = try Repair.run(path: path)
    let one = try missing(ends)
    #expect(both.numbers == both.accounted && one.numbers == one.accounted && both.numbers != one.numbers)
    try FileManager.default.moveItem(atPath: folder.path("2"), toPath: chunk(2))
    let report = try Repair.run(path: path)
    #expect(report.frameCounts == ends && report.isLossless)
    let (numbers, accounted) = try missing(ends)
    #expect((numbers + accounted).allSatisfy { $0 == 0 })
    let other = try difference(lines)
    #expect(other.allSatisfy { $0.contains("chunk_file") }, "\(other)")
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `a copy of a repaired recording reports each lost frame once`() throws {
    let row = try #require(try Recording(path: path).frameRows(chunkFile: 1).first { $0.stream == 0 })
    var bytes = try FileBytes.read(chunk(1))
    for place in [20, 30] { bytes[row.place.offset + row.place.length - place] ^= 1 }
    try FileManager.default.removeItem(atPath: chunk(1))
    try FileBytes.write(bytes, to: chunk(1, ".partial"))
    #expect(try !Repair.run(path: path).isLossless)
    let repaired = try Recording(path: path)
    let copy = folder.path("copy.retake")
    let part = try FrameSelection(repaired, frameSets: 0..<repaired.frameSetCount())
    _ = try Trim.run(repaired, part, into: RecordingFolder(path: copy))
    let losses = try Recording(path: copy).events().filter { $0.stage == .disk }
    #expect(losses.map(\.count) == [1])
    #expect(try Verification.run(Recording(path: copy)).isWhole)
    // Nothing that the copy never had is missed in it.
    try FileManager.default.removeItem(atPath: copy + "/index.sqlite")
    #expect(try Repair.run(path: copy).isLossless)
    #expect(try Recording(path: copy).events().filter { $0.stage == .disk } == losses)
  }

  @Test func `a recording that was closed and opened again to add to it is finished without entering its end twice`()
    throws
  {
    let lines = try IndexDump.lines(path)
    try IndexDump.change(path, "UPDATE recording SET is_closed = 0")
    let files = RecordingFolder(path: path)
    let prefix = try #require(try TrustedPrefix(files, ChunkFileStanding(files)))
    #expect(prefix.isEnded && prefix.behind.isEmpty)
    #expect(try Repair.finish(path: path).isLossless)
    #expect(try IndexDump.lines(path) == lines)
    // The same with a mark behind, whose rows the killed program had not come to enter.
    try MarkEditor.add([Mark(label: "late", presentation: .init(nanoseconds: 9))], to: Recording(path: path))
    let marked = try IndexDump.lines(path)
    try IndexDump.change(
      path,
      "UPDATE recording SET is_closed = 0; DELETE FROM mark WHERE label = 'late'; DELETE FROM chunk_file WHERE id = 4"
    )
    #expect(try Repair.finish(path: path).isLossless)
    #expect(try IndexDump.lines(path) == marked)
  }

  @Test func `an unfinished file beside a finished one is kept where it has more`() throws {
    let whole = try FileBytes.read(chunk(3))
    let ends = try Recording(path: path).summary().streams.map(\.frameCount)
    try FileBytes.write(whole, to: chunk(3, ".partial"))
    try FileBytes.write(Array(whole[..<(whole.count / 2)]), to: chunk(3))
    #expect(try Repair.run(path: path).frameCounts == ends)
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `an index that a lossy repair replaces is kept with its log, and a worse one gives way`() throws {
    // Everything the recorder entered is in the log, as after a kill.
    let known = try Recording(path: path).frameRows(stream: 0, from: 0, limit: 1000).count
    var configuration = Configuration()
    configuration.journalMode = .wal
    let writer = try DatabaseQueue(path: path + "/index.sqlite", configuration: configuration)
    try writer.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try database.execute(sql: "UPDATE recording SET is_closed = 0")
      try database.execute(sql: "INSERT INTO mark VALUES (NULL, 'only in the log', 7)")
    }
    let copy = folder.path("b.retake")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try writer.close()
    let index = copy + "/index.sqlite"
    #expect(FileManager.default.fileExists(atPath: index + "-wal"))
    try Data().write(to: URL(fileURLWithPath: index + ".old"))
    let damaged = copy + "/chunks/000001.mcap"
    var bytes = try FileBytes.read(damaged)
    bytes[bytes.count / 2] ^= 1
    try FileBytes.write(bytes, to: damaged)
    #expect(try !Repair.run(path: copy).isLossless)
    let old = try DatabaseQueue(path: index + ".old")
    let count = try old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM frame WHERE stream = 0") }
    let marks = try old.read { try String.fetchAll($0, sql: "SELECT label FROM mark") }
    #expect(count == known)
    #expect(marks.contains("only in the log"))
    try old.close()
    // The next lossy repair has nothing better to keep.
    let kept = try FileBytes.read(index + ".old")
    #expect(try !Repair.run(path: copy).isLossless)
    #expect(areSame(try FileBytes.read(index + ".old"), kept))
  }

  @Test(arguments: ["index", "chunk files", "partial"])
  func `nothing that a later version wrote is changed`(what: String) throws {
    func raiseFormat(_ path: String) throws {
      var bytes = try FileBytes.read(path)
      let entry = Array("format_version".utf8) + [1, 0, 0, 0]
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: entry) })
      bytes[place + entry.count] = UInt8(ascii: "2")
      try FileBytes.write(bytes, to: path)
    }
    switch what {
    case "index": try IndexDump.change(path, "PRAGMA user_version = 99; UPDATE recording SET is_closed = 0")
    case "chunk files":
      for number in 0..<4 { try raiseFormat(chunk(number)) }
      try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    default:
      try unfinishLast()
      try raiseFormat(chunk(3, ".partial"))
      for number in 0..<3 { try FileManager.default.removeItem(atPath: chunk(number)) }
      try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    }
    let before = try SmallRecording.files(path)
    for attempt in 0..<3 {
      let error = #expect(throws: RetakeError.self) {
        switch attempt {
        case 0: _ = try Repair.run(path: path)
        case 1: _ = try Recording.opening(path) { _ in }
        default: try MarkEditor.add([Mark(label: "x", presentation: .init(nanoseconds: 0))], to: Recording(path: path))
        }
      }
      guard attempt < 2 else { continue }
      #expect(error?.code == .unsupported, "\(error as Any)")
      #expect(error?.hint.contains("later") == true)
    }
    #expect(try SmallRecording.files(path) == before)
  }

  @Test func `one newer file among a recording's own is left as it is`() throws {
    try unfinishLast { bytes in
      let place = bytes.indices.first { bytes[$0...].starts(with: Array("format_version".utf8)) }!
      bytes[place + 18] = UInt8(ascii: "7")
    }
    let partial = try FileBytes.read(chunk(3, ".partial"))
    let report = try Repair.run(path: path)
    #expect(report.damage.contains { $0.contains("later version") })
    #expect(areSame(try FileBytes.read(chunk(3, ".partial")), partial))
  }

  @Test(arguments: ["no index", "an empty index", "an index without a recording", "an empty partial file"])
  func `where nothing was recorded yet, a repair says so and a recorder begins again`(state: String) throws {
    let empty = folder.path("b.retake")
    try FileManager.default.createDirectory(atPath: empty + "/chunks", withIntermediateDirectories: true)
    switch state {
    case "no index": break
    case "an empty index": try Data().write(to: URL(fileURLWithPath: empty + "/index.sqlite"))
    default: try IndexDatabase.create(at: empty + "/index.sqlite").close()
    }
    if state == "an empty partial file" {
      try Data().write(to: URL(fileURLWithPath: empty + "/chunks/000000.mcap.partial"))
    }
    for _ in 0..<2 {
      let error = #expect(throws: RetakeError.self) { try Recording.opening(empty) { _ in } }
      #expect(error?.message.contains("killed before the first frame") == true, "\(error as Any)")
    }
    #expect(try Repair.run(path: empty).chunkFileCount == 0)
    try SmallRecording.make(empty)
    #expect(try Verification.run(Recording(path: empty)).isWhole)
  }

  @Test func `a folder with anything else in it is not taken for one where nothing was recorded`() throws {
    let other = folder.path("b.retake")
    try FileManager.default.createDirectory(atPath: other + "/chunks", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other + "/notes.txt"))
    #expect(throws: RetakeError.self) { try RecordingFolder(path: other).create() }
    #expect(FileManager.default.fileExists(atPath: other + "/notes.txt"))
  }

  @Test func `a file system without locks is named as such`() throws {
    let files = RecordingFolder(path: folder.path("none.retake"))
    let error = #expect(throws: RetakeError.self) { _ = try FolderLock(files) }
    #expect(error?.code == .notFound)
    #expect(FolderLock.failure(EWOULDBLOCK, files).message.contains("has locked it"))
    #expect(FolderLock.failure(ENOLCK, files).message.contains("does not support file locks"))
    #expect(FolderLock.failure(EIO, files).code == .inputOutput)
    #expect(!FolderLock.failure(EIO, files).message.contains("has locked it"))
  }
}
