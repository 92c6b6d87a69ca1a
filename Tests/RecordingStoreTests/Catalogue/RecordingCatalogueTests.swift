import Foundation
import FrameModel
import GRDB
import Glibc
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct RecordingCatalogueTests {
  private let folder: TemporaryFolder
  private let root: String
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path("all")
    file = folder.path("cache/catalogue.sqlite")
    for name in ["a", "b", "deep/er/c"] {
      let path = "\(root)/\(name).retake"
      try FileManager.default.createDirectory(
        atPath: Folder.parent(of: path), withIntermediateDirectories: true)
      try SmallRecording.copy(to: path, marks: name == "b" ? ["hand vanishes", "Flicker here"] : [])
    }
    try TagFile(RecordingFolder(path: "\(root)/a.retake")).change { tags throws(RetakeError) in
      try tags.set("dark")
      try tags.set("take=3")
      try tags.setNote("The lamp was moved.")
    }
    try makeOld()
  }

  /// Ages all files, so that their times are certain to change with them.
  private func makeOld() throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      let times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, "\(root)/\(name)", times, 0) == 0)
    }
  }

  private func list(_ query: String? = nil, path: String? = nil, forgetsGone: Bool = false) throws
    -> (entries: [CatalogueEntry], openedCount: Int)
  {
    var opened = 0
    let entries = try RecordingCatalogue(path: path ?? file).entries(
      in: root, matching: query.map { text throws(RetakeError) in try CatalogueQuery(text) }, forgetsGone: forgetsGone
    ) { done, _ in opened = done }
    return (entries, opened)
  }

  private func names(_ query: String) throws -> [String] {
    try list(query).entries.map { String($0.path.dropFirst(root.count + 1)) }
  }

  private func state(_ name: String) throws -> CatalogueEntry.State? {
    try list().entries.first { $0.path == "\(root)/\(name).retake" }?.state
  }

  @Test func `recordings are listed with what their indexes say, and opened again only when they change`() throws {
    let first = try list()
    #expect(first.openedCount == 3)
    #expect(first.entries.map(\.path) == ["a", "b", "deep/er/c"].map { "\(root)/\($0).retake" })
    for entry in first.entries {
      let recording = try Recording(path: entry.path)
      let summary = try recording.summary()
      #expect(entry.state == .whole && entry.problem.isEmpty)
      #expect(entry.id == recording.identity.id)
      #expect(entry.byteCount == summary.storedByteCount && entry.frameSetCount == summary.frameSetCount)
      #expect(entry.streams.map(\.frameCount) == summary.streams.map(\.frameCount))
      #expect(entry.faceFrameCount == summary.faceFrameCount)
      #expect(entry.marks == (try recording.marks().map(\.label)))
      #expect(entry.tags == (try recording.tags()))
      #expect(entry.lossCount > 0 && entry.eventCount > entry.lossCount)
    }
    let second = try list()
    #expect(second.openedCount == 0)
    #expect(second.entries == first.entries)

    try TagFile(RecordingFolder(path: "\(root)/b.retake")).change { tags throws(RetakeError) in try tags.set("new") }
    let third = try list()
    #expect(third.openedCount == 1)
    #expect(third.entries[1].tags.tags.map(\.text) == ["new"])
    // Changed just now: a second change could have the same times.
    #expect(try list().openedCount == 1)
    try MarkEditor.add(
      [try Mark(label: "late", presentation: PresentationTime(nanoseconds: 1))],
      to: Recording(path: "\(root)/a.retake"))
    #expect(try list("mark:late").entries.count == 1)
  }

  @Test func `a catalogue that is lost, damaged, of another version or cannot be made changes nothing`() throws {
    let entries = try list().entries
    for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
    #expect(try list().entries == entries)
    for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
    try FileBytes.write([UInt8](repeating: 7, count: 10_000), to: file)
    #expect(try list().entries == entries)
    #expect(try list().openedCount == 0)
    let queue = try DatabaseQueue(path: file)
    try queue.write { try $0.execute(sql: "DROP TABLE words") }
    try queue.close()
    #expect(try list().entries == entries)
    let newer = try DatabaseQueue(path: file)
    try newer.write { try $0.execute(sql: "PRAGMA user_version = 1000") }
    try newer.close()
    #expect(try list().entries == entries)
    #expect(try list("tag:dark", path: "/proc/none/catalogue.sqlite").entries.count == 1)
  }

  @Test func `recordings that are not whole are listed as what they are`() throws {
    _ = try list()
    let (a, b, c) = ("\(root)/a.retake", "\(root)/b.retake", "\(root)/deep/er/c.retake")
    let queue = try DatabaseQueue(path: a + "/index.sqlite")
    try queue.write { try $0.execute(sql: "UPDATE recording SET is_closed = 0") }
    try queue.close()
    #expect(try state("a") == .unfinished)
    do {
      let lock = try FolderLock(RecordingFolder(path: a))
      #expect(try state("a") == .recording)
      withExtendedLifetime(lock) {}
    }
    #expect(try state("a") == .unfinished)
    #expect(try names("is:unfinished") == ["a.retake"])
    let chunk = b + "/chunks/000000.mcap"
    #expect(truncate(chunk, 1000) == 0)
    let cut = CatalogueEntry.read(b)
    #expect(cut.state == .damaged && cut.problem.contains("000000.mcap has 1000 of its"), "\(cut.problem)")
    try FileBytes.write([UInt8](repeating: 9, count: 5000), to: b + "/index.sqlite")
    try FileManager.default.removeItem(atPath: c + "/chunks/000001.mcap")
    try FileManager.default.createDirectory(atPath: "\(root)/d.retake/chunks", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(root)/e.retake", withIntermediateDirectories: true)
    let entries = try list().entries
    #expect(entries.map(\.state) == [.unfinished, .damaged, .empty, .damaged, .empty])
    #expect(entries.dropFirst().allSatisfy { !$0.problem.isEmpty })
    #expect(entries[3].problem.contains("000001.mcap is missing"))
    // Nothing was repaired.
    #expect(try Recording(path: a).isClosed == false)

    try FileManager.default.removeItem(atPath: c)
    #expect(try state("deep/er/c") == .gone)
    #expect(try names("is:gone") == ["deep/er/c.retake"])
    #expect(try list(forgetsGone: true).entries.count == 4)
    #expect(try state("deep/er/c") == nil)
    try SmallRecording.copy(to: c)
    #expect(try state("deep/er/c") == .whole)
  }

  @Test(arguments: [
    ("", ["a", "b", "deep/er/c"]), ("tag:dark", ["a"]), ("tag:take", ["a"]), ("tag:take=3", ["a"]), ("tag:take=4", []),
    ("tag:dar", []), ("!tag:dark", ["b", "deep/er/c"]), ("mark:flicker", ["b"]), ("mark:FLICKER duration>1s", ["b"]),
    ("mark:\"hand vanishes\"", ["b"]), ("mark:\"vanishes hand\"", []), ("mark:hand vanishes", ["b"]),
    ("note:lamp", ["a"]), ("lamp", ["a"]), ("marks>=2", ["b"]), ("marks=0", ["a", "deep/er/c"]),
    ("marks!=0", ["b"]), ("drops>0", ["a", "b", "deep/er/c"]), ("drops<0", []),
    ("drops > 0 marks >=2", ["b"]), ("!marks= 0", ["b"]), ("is:whole drops >0", ["a", "b", "deep/er/c"]),
    ("duration>10s", []),
    ("duration<1m", ["a", "b", "deep/er/c"]), ("size>1GB", []), ("size<1MB", ["a", "b", "deep/er/c"]),
    ("started>2020-01-01", ["a", "b", "deep/er/c"]), ("started<2020-01-01T12:30", []), ("name:c", ["deep/er/c"]),
    ("stream:depth", ["a", "b", "deep/er/c"]), ("is:whole faces>0 frames>3", ["a", "b", "deep/er/c"]),
    ("\"' OR 1=1\"", []), ("tag:dark and tag:take", ["a"]), ("tag:dark AND drops>0", ["a"]),
    ("tag:dark && mark:flicker", []), ("tag:dark \"and\"", []), ("\"or\"", []),
  ])
  func `a query finds what it says`(query: String, expected: [String]) throws {
    #expect(try names(query) == expected.map { $0 + ".retake" }, "\(query)")
  }

  @Test func `a query that cannot be understood is one sentence with the nearest name`() throws {
    for (query, hint) in [
      ("tags:dark", "tag:…"), ("drop>0", "drops>…"), ("duration>long", "10s"), ("size>x", "500MB"),
      ("started>2026", "2026-05-31"), ("started>2026-13-01", "2026-05-31"), ("drops>1.5", "whole number"),
      ("is:hole", "is:whole"), ("tag:take>2", "NAME=VALUE"), ("tag:", "NAME"), ("mark:", "mark:flicker"),
      ("mark:\"open", "add the other"), ("…", "letters"),
      ("drops>0 OR marks>0", "ask twice"), ("drops>0 or marks>0", "ask twice"), ("not drops>0", "!term for 'not'"),
      ("and drops>0", "leave it out"), ("drops>0 and", "leave it out"), ("and", "leave it out"),
      (Array(repeating: "a", count: 33).joined(separator: " "), "leave some out"),
    ] {
      let error = #expect(throws: RetakeError.self, "\(query)") { try CatalogueQuery(query) }
      #expect(error?.code == .usage && error?.hint.contains(hint) == true, "\(query): \(error?.hint ?? "")")
    }
  }

  @Test func `a folder that is not there, or holds nothing, is told apart`() throws {
    #expect(throws: RetakeError.self) { try RecordingCatalogue(path: file).entries(in: root + "/none") }
    try FileManager.default.createDirectory(atPath: root + "/nothing", withIntermediateDirectories: true)
    #expect(try RecordingCatalogue(path: file).entries(in: root + "/nothing").isEmpty)
    let one = try RecordingCatalogue(path: file).entries(in: root + "/a.retake")
    #expect(one.map(\.path) == [root + "/a.retake"])
    // A neighbour whose name begins like the folder's is not in it.
    try SmallRecording.copy(to: folder.path("all-other/x.retake".replacingOccurrences(of: "all-other/", with: "all-")))
    #expect(try list().entries.count == 3)
  }
}
