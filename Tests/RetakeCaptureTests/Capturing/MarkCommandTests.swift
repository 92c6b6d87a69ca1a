import CommandTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// Marks, however they are set, are found where they were set.
@Suite(.long) struct MarkCommandTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func marks(_ path: String) throws -> [(label: String, seconds: Double)] {
    let text = try CommandLineTool.run(["mark", path, "--list", "--json"]).text
    let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    return try list.map { (try #require($0["label"] as? String), try #require($0["seconds"] as? Double)) }
  }

  @Test func `another process, Return in the terminal and a signal set marks while it is being recorded`() throws {
    let path = folder.path("a.retake")
    let recorder = try RecorderProcess(path, hasTerminal: true)
    try recorder.waitForFrames()
    let handed = try CommandLineTool.run(["mark", path, "--label", "from outside"])
    #expect(handed.text.isEmpty)
    #expect(handed.errors == "mark passed to the recorder\n")
    try recorder.waitForMark("from outside")
    let early = try CommandLineTool.run(["mark", path, "--remove", "from outside"], expecting: 73)
    #expect(early.errors.contains("when the recording has ended, the same command does it"), "\(early.errors)")
    try recorder.type("hand vanishes\n")
    try recorder.wait(for: "The word that a mark is set") { recorder.output.contains("mark 'hand vanishes' set") }
    // A label that cannot be is refused, and the recording goes on.
    try recorder.type(String(repeating: "y", count: 250) + "\n")
    try recorder.wait(for: "A refusal") { recorder.output.contains("at most 200 bytes") }
    try recorder.type("\n")
    try recorder.wait(for: "The word that a mark is set") { recorder.output.contains("mark set") }
    try recorder.type("\u{3}")
    #expect(try recorder.end() == 0, "\(recorder.output)")

    let set = try marks(path)
    #expect(set.map(\.label) == ["from outside", "hand vanishes", ""])
    #expect(set.map(\.seconds) == set.map(\.seconds).sorted())
    #expect(try #require(set.first).seconds > 0)
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(try #require(info["marks"] as? [[String: Any]]).map { $0["label"] as? String } == set.map(\.label))
    try CommandLineTool.run(["verify", path])
    // The recorder is gone: a mark then needs a place.
    let late = try CommandLineTool.run(["mark", path, "--label", "late"], expecting: 64)
    #expect(late.errors.contains(" is not being recorded.") && late.errors.contains("--at"), "\(late.errors)")
    let again = try CommandLineTool.run(["mark", path, "--label", "from outside", "--at", "0.1s"])
    #expect(again.errors.contains("2 marks have this label; mark:LABEL means the first"), "\(again.errors)")
  }

  @Test func `a bare number is a frame set, which is said where seconds were probably meant`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=5&size=64x48")
    let bare = try CommandLineTool.run(["mark", path, "--label", "fall", "--at", "1"])
    #expect(bare.errors.contains("1 is a frame set; for seconds, write --at 1s."), "\(bare.errors)")
    #expect(!(try CommandLineTool.run(["mark", path, "--at", "0.1s"])).errors.contains("--at 1s"))
  }

  @Test func `a ring too small for a mark is warned of, and ends with a code when marks fill it`() throws {
    let path = folder.path("a.retake")
    let result = try CommandLineTool.run(
      [
        "record", "--device", "simulated?pace=fast&size=320x240&alpha=0", "-o", path, "--ring", "64MiB",
        "--postroll", "1h", "--keep-free", "0",
      ],
      expecting: 3,
      whileRunning: { process in
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: path + "/index.sqlite") { usleep(50_000) }
        kill(process, SIGUSR1)
      })
    #expect(result.errors.contains("each mark keeps 60 minutes of it"), "\(result.errors)")
    #expect(result.errors.contains("What the marks keep fills the ring"), "\(result.errors)")
    try CommandLineTool.run(["verify", path])
  }

  @Test func `a split session is reached by its name in its part 1000 too`() throws {
    // Earlier parts, which are closed.
    for number in [101, 998, 999] {
      try FileManager.default.createDirectory(
        atPath: folder.path("s-\(number).retake"), withIntermediateDirectories: false)
    }
    let recorder = try RecorderProcess(folder.path("s-1000.retake"))
    try recorder.waitForFrames()
    let handed = try CommandLineTool.run(["mark", folder.path("s.retake"), "--label", "late"])
    #expect(handed.errors == "mark passed to the recorder\n")
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 0, "\(recorder.errors)")
    #expect(try marks(recorder.path).map(\.label) == ["late"])
  }

  @Test func `the signal USR1 sets a mark`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    recorder.signal(SIGUSR1)
    try recorder.wait(for: "The word that a mark is set") { recorder.errors.contains("mark set") }
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 0, "\(recorder.errors)")
    #expect(try marks(recorder.path).map(\.label) == [""])
    try CommandLineTool.run(["verify", recorder.path])
  }

  @Test func `marks set afterwards are listed in the order of their times, and survive the index`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=90&size=64x48")
    for (at, label, said) in [
      ("2s", "später", "2.000 s"), ("30", "one", "1.000 s"), ("mark:one", "again", "1.000 s"), ("0s", "", "0.000 s"),
      ("500ms", "half", "0.500 s"),
    ] {
      let result = try CommandLineTool.run(["mark", path, "--at", at, "--label", label])
      #expect(result.errors == "mark set at \(said)\n")
      #expect(result.text.isEmpty)
    }
    let lines = "0.000 s\n0.500 s  half\n1.000 s  one\n1.000 s  again\n2.000 s  später\n"
    #expect(try CommandLineTool.run(["mark", path, "--list"]).text == lines)
    try CommandLineTool.run(["verify", path])
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    try CommandLineTool.run(["recover", path])
    #expect(try CommandLineTool.run(["mark", path, "--list"]).text == lines)
    try CommandLineTool.run(["verify", path])
    let played = try CommandLineTool.run(["replay", path, "--json"])
    #expect(try CommandLineTool.json(played.text)["video_frames"] as? Int == 90)
  }

  @Test func `marks are removed and renamed by label or time, and found by what they are called now`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=60&size=64x48")
    for (at, label) in [("500ms", "fall"), ("1s", "fall"), ("1.5s", "a=b"), ("0.2s", "")] {
      try CommandLineTool.run(["mark", path, "--at", at, "--label", label])
    }
    let several = try CommandLineTool.run(["mark", path, "--remove", "fall"], expecting: 64)
    #expect(several.errors.contains("2 marks are 'fall': 0.500 s, 1.000 s."), "\(several.errors)")
    #expect(several.errors.contains("--remove 0.500s"), "\(several.errors)")
    let unclear = try CommandLineTool.run(["mark", path, "--rename", "fall=a trip"], expecting: 64)
    #expect(unclear.errors.contains("--rename '0.500s=a trip'"), "\(unclear.errors)")
    let done = try CommandLineTool.run(
      ["mark", path, "--remove", "0.5s", "--rename", "a=b=c=d", "--rename", "0.2s=start"])
    #expect(
      done.errors
        == "removed 'fall' at 0.500 s\n'a=b' at 1.500 s is 'c=d' now\nthe mark at 0.200 s is 'start' now\n")
    #expect(
      try CommandLineTool.run(["mark", path, "--list"]).text == "0.200 s  start\n1.000 s  fall\n1.500 s  c=d\n")
    try CommandLineTool.run(["replay", path, "--from", "mark:start", "--to", "mark:c=d", "--output", "none"])
    let none = try CommandLineTool.run(["replay", path, "--from", "mark:a=b", "--output", "none"], expecting: 1)
    #expect(none.errors.contains("its marks are 'start', 'fall', 'c=d'"), "\(none.errors)")
    try CommandLineTool.run(["verify", path])
    for (words, status, said) in [
      (["--remove", "--at", "1s"], 64, "write --remove 1s"), (["--remove", "fal"], 1, "did you mean fall?"),
      (["--remove", "fall", "--at", "1s"], 64, "leave out --at 1s"), (["--rename", "fall"], 64, "--rename fall=LABEL"),
      (["--rename", "fall=a\nb"], 64, "one line"), (["--remove", "7s"], 1, "no mark '7s'"),
      (["--remove", "fall", "--list"], 64, "--list"),
      (["--remove", "fall", "--rename", "none=x"], 1, "no mark 'none'"),
    ] as [([String], Int32, String)] {
      let result = try CommandLineTool.run(["mark", path] + words, expecting: status)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
    }
    #expect(try marks(path).count == 3)
  }

  @Test func `wrong words change nothing`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48")
    let before = try FileManager.default.contentsOfDirectory(atPath: path + "/chunks")
    for (words, status, said) in [
      (["--at", "0s", "--label", "a\nb"], 64, "one line"), (["--at", "0s", "--label", "a\u{1B}[31m"], 64, "one line"),
      (["--at", "0s", "--label", String(repeating: "x", count: 201)], 64, "200 bytes"), (["--at=-1s"], 64, "-1s"),
      (["--at", "1e300s"], 64, "1e300s"), (["--at", "99999999999999999999"], 64, "99999999999999999999"),
      (["--at", "3"], 1, "it has 3 frame sets, starting at 0"), (["--at", "1h"], 1, "ends before that"),
      (["--at", "mark:none"], 1, "'none'"), ([], 64, "--at"), (["--json"], 64, "--list"),
      (["--list", "--label", "x"], 64, "--list"),
    ] as [([String], Int32, String)] {
      let result = try CommandLineTool.run(["mark", path] + words, expecting: status)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(!result.errors.contains("\u{1B}"))
      #expect(result.text.isEmpty)
    }
    for place in [folder.path("none.retake"), folder.path] {
      try CommandLineTool.run(["mark", place, "--at", "0s"], expecting: 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/chunks") == before)
    try CommandLineTool.run(["verify", path])
  }
}
