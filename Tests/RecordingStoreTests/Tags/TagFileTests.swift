import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct TagFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path)
  }

  private func open() throws -> Recording { try Recording(path: path) }

  private static func tags(_ words: [String], note: String = "") throws -> RecordingTags {
    var tags = RecordingTags()
    for word in words { try tags.set(word) }
    try tags.setNote(note)
    return tags
  }

  @Test func `tags are stored beside the frames, replaced and removed; nothing else changes`() throws {
    #expect(try open().tags().isEmpty)
    let before = try SmallRecording.files(path)
    let some = try Self.tags(["take=3", "dark", "place=second floor = attic"], note: "two\nlines \"quoted\"")
    let file = TagFile(try open().folder)
    try file.change { $0 = some }
    #expect(try open().tags() == some)
    #expect(some.tags.map(\.text) == ["dark", "place=second floor = attic", "take=3"])
    try file.change { tags throws(RetakeError) in
      try tags.set("take=4")
      tags.remove("dark")
    }
    #expect(try open().tags().tags.map(\.text) == ["place=second floor = attic", "take=4"])
    var after = try SmallRecording.files(path)
    #expect(after.removeValue(forKey: "/" + TagFile.name) != nil)
    #expect(after == before)
    #expect(try Verification.run(open()).isWhole)
    try file.change(clears: true) { _ in }
    #expect(try open().tags().isEmpty)
    #expect(try SmallRecording.files(path) == before)
  }

  @Test func `names, values and notes that cannot be kept are refused with a sentence`() throws {
    var tags = RecordingTags()
    for word in ["", "=x", "a b", "-a", "a\"", "a:b", "x\u{7}", String(repeating: "a", count: 65), "a=two\nlines"] {
      let error = #expect(throws: RetakeError.self, "\(word)") { try tags.set(word) }
      #expect(error?.code == .usage && error?.hint.isEmpty == false)
    }
    #expect(throws: RetakeError.self) { try tags.setNote("\u{1B}[2J") }
    #expect(throws: RetakeError.self) { try tags.setNote(String(repeating: "a", count: 4097)) }
    for number in 0..<RecordingTags.countLimit { try tags.set("n\(number)") }
    #expect(throws: RetakeError.self) { try tags.set("more") }
    try tags.set("n0=changed")
    #expect(tags.tags.count == RecordingTags.countLimit)
  }

  @Test func `a file that holds no tags is one sentence, and can be replaced`() throws {
    let file = path + "/" + TagFile.name
    let good = #"{"format":"retake-tags-1","tags":{"a":"1"},"note":""}"#
    try FileBytes.write(Array(good.utf8), to: file)
    #expect(try open().tags().tags.map(\.text) == ["a=1"])
    for bad in [
      "", "[]", String(repeating: " ", count: 300_000), good.replacingOccurrences(of: "-1\"", with: "-2\""),
      good.replacingOccurrences(of: "\"a\"", with: "\"a b\""), good.replacingOccurrences(of: "\"1\"", with: "1"),
    ] {
      try FileBytes.write(Array(bad.utf8), to: file)
      let error = #expect(throws: RetakeError.self, "\(bad.prefix(60))") { try open().tags() }
      #expect(error?.message.contains(TagFile.name) == true && error?.hint.isEmpty == false)
    }
    try TagFile(open().folder).change(clears: true) { tags throws(RetakeError) in try tags.set("b") }
    #expect(try open().tags().tags.map(\.text) == ["b"])
  }

  @Test func `a trimmed copy has the tags and the note`() throws {
    let some = try Self.tags(["take=3"], note: "a note")
    try TagFile(open().folder).change { $0 = some }
    let original = try open()
    let copyPath = folder.path("copy.retake")
    _ = try Trim.run(
      original, try FrameSelection(original, frameSets: 5..<20), into: RecordingFolder(path: copyPath))
    #expect(try Recording(path: copyPath).tags() == some)
    #expect(try Verification.run(Recording(path: copyPath)).isWhole)
  }

  @Test func `whatever the disk does, the earlier tags or the new ones are there`() throws {
    let (old, new) = (try Self.tags(["a=1"], note: "old"), try Self.tags(["b=2"], note: "new"))
    let file = TagFile(try open().folder)
    let name = path + "/" + TagFile.name
    let whole = SimulatedDisk(seed: 0)
    try file.change(fileSystem: whole) { $0 = old }
    let first = whole.operationCount
    try file.change(fileSystem: whole) { $0 = new }
    #expect(first > 4)
    var found: Set<Bool> = []
    for fault in [SimulatedDisk.Fault.crash, .full, .inputOutputError] {
      for operation in first..<whole.operationCount {
        for seed in 0..<4 {
          let disk = SimulatedDisk(seed: UInt64(seed), faultOperation: operation, fault: fault)
          // `clears`: the earlier tags are on the simulated disk only.
          try file.change(clears: true, fileSystem: disk) { $0 = old }
          _ = try? file.change(clears: true, fileSystem: disk) { $0 = new }
          for isPowerCut in [false, true] {
            let bytes = try #require(disk.files(afterPowerCut: isPowerCut)[name], "\(fault) \(operation)")
            try FileBytes.write(bytes, to: name)
            let left = try open().tags()
            #expect(left == old || left == new, "\(fault) \(operation)")
            found.insert(left == new)
          }
          try FileManager.default.removeItem(atPath: name)
        }
      }
    }
    #expect(found.count == 2)
  }
}
