import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Joining recordings, and packing them for an archive.
@Suite(.long) struct KeepingCommandTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=150&size=64x48")
  }

  private func digests(_ path: String, _ name: String) throws -> String {
    try CommandLineTool.run(["replay", path, "--quiet", "--output", "digests:" + folder.path(name)])
    // The first line names the recording.
    return try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").dropFirst()
      .joined(separator: "\n")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
  }

  @Test func `the parts of a split session become one recording`() throws {
    let camera = "simulated?pace=fast&frames=150&size=64x48"
    try CommandLineTool.run(
      ["record", "--device", camera, "-o", folder.path("s.retake"), "--split", "2s", "--keep-free", "0"])
    let parts = (0..<3).map { folder.path("s-00\($0).retake") }
    try CommandLineTool.run(["mark", parts[1], "--at", "500ms", "--label", "fall"])
    try CommandLineTool.run(["tag", parts[2], "light=dark"])
    let whole = folder.path("whole.retake")
    let result = try CommandLineTool.run(["join"] + parts + ["-o", whole, "--json"])
    let info = try CommandLineTool.json(result.text)
    #expect(info["frame_sets"] as? Int == 150)
    #expect(info["is_closed"] as? Bool == true)
    let marks = try #require(info["marks"] as? [[String: Any]])
    #expect(marks.map { $0["label"] as? String } == ["fall"])
    #expect(try CommandLineTool.run(["info", whole]).text.contains("light=dark"))
    try CommandLineTool.run(["verify", whole])
    #expect(try digests(whole, "whole.jsonl") == digests(recording, "a.jsonl"))
    // Two of them, in the wrong order and one of them twice.
    for words in [[parts[1], parts[0]], [parts[0], parts[0]]] {
      let refused = try CommandLineTool.run(["join"] + words + ["-o", folder.path("no.retake")], expecting: 1)
      #expect(refused.errors.contains("before the end of") && refused.errors.contains("hint: "))
    }
    let twice = try CommandLineTool.run(
      ["join", parts[0], parts[0], "--gap", "33ms", "-o", folder.path("twice.retake"), "--quiet"])
    #expect(twice.text.isEmpty)
    try CommandLineTool.run(["verify", folder.path("twice.retake")])
    #expect(try !names().contains { $0.hasPrefix("no.") || $0.hasPrefix(".partial") })
  }

  @Test func `an archive is a recording like any other, and unpacks to one that replays the same`() throws {
    let (archive, unpacked) = (folder.path("new/archive.retake"), folder.path("unpacked.retake"))
    let packed = try CommandLineTool.run(["pack", recording, "-o", archive])
    #expect(packed.text == archive + "\n")
    #expect(packed.errors.contains("Copied and compared"))
    let info = try CommandLineTool.json(try CommandLineTool.run(["unpack", archive, "-o", unpacked, "--json"]).text)
    #expect(info["frame_sets"] as? Int == 150)
    let original = try digests(recording, "a.jsonl")
    for (path, name) in [(archive, "b.jsonl"), (unpacked, "c.jsonl")] {
      try CommandLineTool.run(["verify", path])
      #expect(try digests(path, name) == original)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: archive + "/chunks") == ["000000.mcap"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: unpacked + "/chunks").count == 3)
    for words in [
      ["mark", archive, "--at", "1s", "--label", "x"], ["trim", archive, "--to", "3", "-o", folder.path("t")],
    ] {
      try CommandLineTool.run(words)
    }
    try CommandLineTool.run(["verify", archive])
  }

  @Test func `what cannot be joined or packed is said, and nothing is made or overwritten`() throws {
    let before = try names()
    let newer = try CommandLineTool.recordSimulated(folder, "newer.retake", "frames=30")
    try makeNewer(newer)
    let other = try CommandLineTool.recordSimulated(folder, "other.retake", "frames=30&size=96x72")
    let picture = folder.path("a.png")
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: URL(fileURLWithPath: picture))
    let output = folder.path("o.retake")
    for (words, status, said) in [
      (["join", recording, "-o", output], 64, "two recordings"),
      (["join", recording, recording, "-o", ""], 64, "--output"),
      (["join", recording, recording, "-o", output, "--gap", "0s"], 64, "--gap"),
      (["join", recording, folder.path("none.retake"), "-o", output], 1, "none.retake"),
      (["join", recording, picture, "-o", output], 1, "a.png"),
      (["join", recording, newer, "-o", output, "--gap", "1s"], 1, "version"),
      (["join", recording, other, "-o", output, "--gap", "1s"], 1, "96x72"),
      (["join", recording, recording, "-o", other, "--gap", "1s"], 1, "not empty"),
      (["pack", picture, "-o", output], 1, "a.png"), (["pack", newer, "-o", output], 1, "version"),
      (["pack", recording, "-o", recording], 1, "not empty"), (["unpack", recording, "-o", other], 1, "not empty"),
      (["pack", recording], 64, "--output"), (["pack", recording, "-o", output, "--threads", "0"], 64, "--threads"),
    ] as [([String], Int32, String)] {
      let result = try CommandLineTool.run(words, expecting: status)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(result.text.isEmpty)
    }
    #expect(try names() == (before + ["a.png", "newer.retake", "other.retake"]).sorted())
    try CommandLineTool.run(["verify", other])
  }

  /// As if a later version had made it.
  private func makeNewer(_ path: String) throws {
    let index = path + "/index.sqlite"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: index))
    // SQLite's user_version, big-endian.
    bytes[63] = 99
    try bytes.write(to: URL(fileURLWithPath: index))
  }
}
