import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Marks that are removed or renamed, while chunk files stay as they are.
@Suite struct MarkChangesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path, marks: ["fall", "hand"])
  }

  private func open() throws -> Recording { try Recording(path: path) }

  private func marks() throws -> [Mark] { try open().marks() }

  private func set(_ label: String?, of name: String) throws {
    let mark = try #require(try marks().first { $0.label == name })
    try MarkEditor.set(label, of: mark, in: open())
  }

  private func add(_ label: String, at time: PresentationTime) throws {
    try MarkEditor.add([Mark(label: label, presentation: time)], to: open())
  }

  private var file: String { path + "/" + MarkChangeFile.name }

  @Test func `a mark is removed or renamed, nothing else changes, and the index may be lost`() throws {
    let before = try SmallRecording.files(path)
    let time = try #require(try marks().first).presentation
    try set(nil, of: "fall")
    try set("the hand = gone", of: "hand")
    try set("foot", of: "the hand = gone")
    let expected = [try Mark(label: "foot", presentation: time)]
    #expect(try marks() == expected)
    var after = try SmallRecording.files(path)
    #expect(after.removeValue(forKey: "/" + MarkChangeFile.name) != nil)
    #expect(after == before)
    #expect(try Verification.run(open()).isWhole)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    #expect(try Repair.run(path: path).isLossless)
    #expect(try marks() == expected)
    // Back to what it was: no change is left to be kept.
    try set("hand", of: "foot")
    try add("fall", at: time)
    #expect(try marks().map(\.label) == ["fall", "hand"])
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `a mark that is set where one was removed or renamed is there once, beside the renamed`() throws {
    let time = try #require(try marks().first).presentation
    let count = try open().chunkFiles().count
    try set(nil, of: "fall")
    try add("fall", at: time)
    #expect(try marks().map(\.label) == ["fall", "hand"])
    #expect(try open().chunkFiles().count == count)
    try set("trip", of: "fall")
    try add("fall", at: time)
    #expect(try marks().map(\.label).sorted() == ["fall", "hand", "trip"])
    try set(nil, of: "trip")
    try set("hand", of: "fall")
    #expect(try marks().map(\.label) == ["hand", "hand"])
    // They cannot be told apart.
    try set(nil, of: "hand")
    #expect(try marks().isEmpty)
  }

  @Test func `copies and the catalogue have the marks as they are shown, and need no file for it`() throws {
    try set("trip", of: "fall")
    try set(nil, of: "hand")
    let original = try open()
    let copy = RecordingFolder(path: folder.path("copy.retake"))
    _ = try Trim.run(original, try FrameSelection(whole: original), into: copy)
    let archive = RecordingFolder(path: folder.path("archive.retake"))
    _ = try Repack.archive().run(original, into: archive)
    for place in [copy, archive] {
      #expect(try Recording(path: place.path).marks().map(\.label) == ["trip"])
      #expect(!FileManager.default.fileExists(atPath: place.path + "/" + MarkChangeFile.name))
    }
    #expect(CatalogueEntry.read(path).marks == ["trip"])
  }

  @Test func `a list that cannot be read is one sentence, and hides nothing else of the recording`() throws {
    let good = #"{"format":"retake-marks-1","changes":[{"label":"fall","presentation_ns":0,"new_label":"x"}]}"#
    try FileBytes.write(Array(good.utf8), to: file)
    // Of a mark that there is not.
    #expect(try marks().map(\.label) == ["fall", "hand"])
    let one = #"{"label":"a","presentation_ns":1}"#
    let many = [String](repeating: one, count: 1025).joined(separator: ",")
    for bad in [
      "", "[]", String(repeating: " ", count: (1 << 20) + 1), good.replacingOccurrences(of: "marks-1", with: "marks-2"),
      good.replacingOccurrences(of: "\"x\"", with: #""\u001b""#), good.replacingOccurrences(of: ":0,", with: ":0.5,"),
      good.replacingOccurrences(of: "fall", with: String(repeating: "x", count: 201)),
      #"{"format":"retake-marks-1","changes":[\#(many)]}"#,
    ] {
      try FileBytes.write(Array(bad.utf8), to: file)
      let error = #expect(throws: RetakeError.self, "\(bad.prefix(60))") { try marks() }
      #expect(error?.message.contains(MarkChangeFile.name) == true && error?.hint.isEmpty == false)
    }
    let entry = CatalogueEntry.read(path)
    #expect(entry.state == .whole && entry.frameSetCount > 0 && entry.problem.contains(MarkChangeFile.name))
  }

  @Test func `no more changes are kept than are read`() throws {
    let many = try (0...1024).map { try Mark(label: "\($0)", presentation: PresentationTime(nanoseconds: Int64($0))) }
    try MarkEditor.add(many, to: open())
    for mark in many.prefix(1024) { try MarkEditor.set(nil, of: mark, in: open()) }
    let error = #expect(throws: RetakeError.self) { try MarkEditor.set(nil, of: many[1024], in: open()) }
    #expect(error?.code == .usage)
    #expect(try marks().map(\.label) == ["1024", "fall", "hand"])
  }

  @Test func `whatever the disk does, the earlier marks or the new ones are there`() throws {
    let mark = try #require(try marks().first)
    let whole = SimulatedDisk(seed: 0)
    try MarkEditor.set("one", of: mark, in: open(), fileSystem: whole)
    var found: Set<String> = []
    for fault in [SimulatedDisk.Fault.crash, .full, .inputOutputError] {
      for operation in 0..<whole.operationCount {
        let disk = SimulatedDisk(seed: 1, faultOperation: operation, fault: fault)
        _ = try? MarkEditor.set("one", of: mark, in: open(), fileSystem: disk)
        for isPowerCut in [false, true] {
          if let bytes = disk.files(afterPowerCut: isPowerCut)[file] { try FileBytes.write(bytes, to: file) }
          found.insert(try marks().map(\.label).joined(separator: " "))
          try? FileManager.default.removeItem(atPath: file)
        }
      }
    }
    #expect(found == ["fall hand", "one hand"])
  }
}
