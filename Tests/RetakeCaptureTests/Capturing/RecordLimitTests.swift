import CommandTestSupport
import Foundation
import Glibc
import RecordingStore
import TestSupport
import Testing

/// What ends or cuts a recording of its own: size, splitting, and windows around marks.
@Suite(.long) struct RecordLimitTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func record(_ name: String, frames: Int, _ options: [String], expecting status: Int32 = 0) throws
    -> ChildProcess
  {
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&size=160x120&frames=\(frames)", "-o", folder.path(name)]
        + ["--keep-free", "0"] + options, expecting: status)
  }

  private func byteCount(_ path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path + "/chunks").reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/chunks/\(name)")
      return sum + (try #require(attributes[.size] as? Int))
    }
  }

  private func frameCounts(_ info: [String: Any]) throws -> [Int] {
    try #require(info["streams"] as? [[String: Any]]).map { try #require($0["frames"] as? Int) }
  }

  @Test func `a largest size ends the recording cleanly below it`() throws {
    let text = try record("a.retake", frames: 300, ["--max-size", "1MiB", "--json"]).text
    let info = try CommandLineTool.json(text)
    #expect(info["is_closed"] as? Bool == true)
    #expect((info["events"] as? [Any])?.isEmpty == true)
    let size = try byteCount(folder.path("a.retake"))
    // Near it too: a frame set has some 40 kB, an ending at most 64.
    #expect(size <= 1 << 20 && size > (1 << 20) - 150_000, "\(size)")
    #expect(try frameCounts(info).allSatisfy { (15...40).contains($0) })
    try CommandLineTool.run(["verify", folder.path("a.retake")])
  }

  @Test func `a session that is split by time has every frame once, in recordings that are whole`() throws {
    let result = try record("a.retake", frames: 100, ["--split", "1s", "--json"])
    let parts = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    let paths = (0...3).map { folder.path("a-00\($0).retake") }
    #expect(parts.map { $0["path"] as? String } == paths)
    #expect(try parts.map(frameCounts) == [[30, 30, 30], [30, 30, 30], [30, 30, 30], [10, 10, 10]])
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.retake")))
    for path in paths { try CommandLineTool.run(["verify", path]) }
    // A part is a recording like any other: times count from its first frame.
    let played = try CommandLineTool.run(["replay", paths[1], "--from", "500ms", "--json"])
    #expect(try CommandLineTool.json(played.text)["video_frames"] as? Int == 15)
  }

  @Test func `a session that is split by size has every frame once, in parts below it`() throws {
    let paths = try record("a.retake", frames: 100, ["--split", "1MiB"]).text.split(separator: "\n").map(String.init)
    #expect(paths.count >= 4)
    var frames = 0
    for path in paths {
      #expect(try byteCount(path) <= 1 << 20, "\(path)")
      frames += try #require(
        try frameCounts(CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)).first)
      try CommandLineTool.run(["verify", path])
    }
    #expect(frames == 100)
  }

  @Test func `a part of an earlier session is noticed before anything is recorded`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("a-007.retake"), withIntermediateDirectories: true)
    let result = try record("a.retake", frames: 100, ["--split", "1s"], expecting: 1)
    #expect(result.errors.contains("a-007.retake") && result.errors.contains("hint: "), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a-007.retake"])
    // Names that only begin like it stand in nobody's way.
    try FileManager.default.moveItem(atPath: folder.path("a-007.retake"), toPath: folder.path("a-x07.retake"))
    _ = try record("a.retake", frames: 3, ["--split", "1s"])
  }

  @Test func `around marks, the pre-roll and the post-roll are kept and nothing else`() throws {
    let path = folder.path("a.retake")
    let recorder = try RecorderProcess(
      path, ["--on-mark", "--preroll", "300ms", "--postroll", "200ms"], hasTerminal: true)
    /// The time that its line shows.
    func shown() -> Double {
      recorder.output.matches(of: #/[ ]{2}([0-9]+\.[0-9]) s/#).last.flatMap { Double($0.1) } ?? 0
    }
    try recorder.wait(for: "A second of recording") { shown() >= 1 }
    #expect(recorder.output.contains("waiting for a mark"))
    #expect(try recorder.chunkFiles().isEmpty)
    try recorder.type("fall\n")
    try recorder.wait(for: "The word that a mark is set") { recorder.output.contains("mark 'fall' set") }
    let then = shown()
    try recorder.wait(for: "Another second") { shown() >= then + 1 }
    try recorder.type("\u{3}")
    #expect(try recorder.end() == 0, "\(recorder.output)")

    let recording = try Recording(path: path)
    let mark = try #require(try recording.marks().first).presentation.nanoseconds
    let times = try recording.frameRows(stream: 0, from: 0, limit: 1000).map(\.timestamps.presentation.nanoseconds)
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(first >= mark - 300_000_000 && first < mark)
    #expect(last <= mark + 200_000_000 && last > mark)
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    let notKept = try #require(info["events"] as? [[String: Any]]).filter { $0["reason"] as? String == "not-kept" }
    #expect(notKept.count == 3)
    try CommandLineTool.run(["verify", path])
  }

  @Test func `without a mark nothing is kept`() throws {
    let result = try record("a.retake", frames: 30, ["--on-mark"])
    #expect(result.errors.contains("No mark was set"), "\(result.errors)")
    #expect(result.errors.contains("'retake mark \(folder.path("a.retake"))' sets a mark."), "\(result.errors)")
    #expect(result.text.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [[], ["--split", "10s"]])
  func `recorders that begin in the same second get names of their own`(options: [String]) throws {
    let script = "cd \"$1\"; shift; seq 3 | xargs -P 3 -I{} \"$@\""
    let words = ["record", "--device", "simulated?pace=fast&frames=3&size=64x48", "--keep-free", "0", "--quiet"]
    let result = try ChildProcess.run(
      "/bin/sh", ["-c", script, "sh", folder.path, Checkout.retake] + words + options)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Recordings"))
    #expect(names.count == 3, "\(names)")
    for name in names { try CommandLineTool.run(["verify", folder.path("Recordings/\(name)")]) }
  }

  @Test func `a ring forecasts what it keeps, not the disk`() throws {
    for (size, sentence) in [("10s", "the ring keeps the last 10 s of it, about"), ("64MiB", "of it, 67.1 MB.")] {
      let result = try CommandLineTool.run([
        "record", "--device", "simulated?frames=3&size=64x48", "--keep-free", "0", "--ring", size, "-o",
        folder.path("\(size).retake"),
      ])
      #expect(result.errors.contains(sentence) && !result.errors.contains("the disk has room"), "\(result.errors)")
    }
  }

  @Test func `limits that make no sense are refused before anything is made`() throws {
    for words in [
      ["--preroll", "5s"], ["--postroll", "5s"], ["--on-mark", "--preroll=-1s"], ["--on-mark", "--preroll", "1e12"],
      ["--split", "1"],
      ["--duration", "0"], ["--duration", "1e-12"], ["--duration", "nan"], ["--duration", "1e30"],
      ["--max-size", "0"], ["--max-size=-5"], ["--max-size", "99999999999TB"], ["--split", "0"],
      ["--split", "1e-12"], ["--split", "5kB"], ["--split", "often"], ["--queue", "0"],
    ] {
      let result = try record("a.retake", frames: 3, words, expecting: 64)
      let option = words.last { $0.hasPrefix("-") }!.prefix { $0 != "=" }
      #expect(result.errors.contains(option), "\(words): \(result.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "\(words)")
    }
    try CommandLineTool.run(["record", "--device", "simulated?frames=3", "--output", ""], expecting: 64)
  }
}
