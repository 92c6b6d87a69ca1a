import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Parts of a recording, named by times, frame sets and marks.
@Suite(.long) struct TrimCommandTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=150&size=64x48")
    for (at, label) in [("1s", "begin"), ("75", "fall"), ("4s", "end")] {
      try CommandLineTool.run(["mark", recording, "--at", at, "--label", label, "--quiet"])
    }
  }

  private struct Part: Sendable {
    var words: [String]
    var frames: Range<Int>
    var marks: [String]

    init(_ words: String..., frames: Range<Int>, marks: [String]) {
      (self.words, self.frames, self.marks) = (words, frames, marks)
    }
  }

  /// One span in every way to say it.
  private let parts: [Part] = [
    Part("--from", "1s", "--to", "2s", frames: 30..<60, marks: ["begin"]),
    Part("--from", "30", "--to", "59", frames: 30..<60, marks: ["begin"]),
    Part("--from", "mark:begin", "--to", "2000ms", frames: 30..<60, marks: ["begin"]),
    Part("--from", "mark:begin", "--to", "mark:end", frames: 30..<120, marks: ["begin", "fall"]),
    Part("--from", "mark:fall", frames: 75..<150, marks: ["fall", "end"]),
    Part("--to", "0", frames: 0..<1, marks: []),
    Part("--from", "140", "--to", "9223372036854775807", frames: 140..<150, marks: []),
  ]

  private let aroundMarks: [Part] = [
    Part("--mark", "fall", "--before", "500ms", "--after", "500ms", frames: 60..<90, marks: ["fall"]),
    Part("--mark", "fall", "--before", "0s", "--after", "1s", frames: 75..<105, marks: ["fall"]),
    Part("--mark", "fall", "--before", "1h", "--after", "1h", frames: 0..<150, marks: ["begin", "fall", "end"]),
  ]

  @Test func `bare numbers that take less than a second are said to be frame sets, and how to write seconds`() throws {
    let (short, note) = (["--from", "5", "--to", "10"], "Frame sets 5 to 10 are 0.20 s; for seconds, write")
    for (verb, outputs) in [
      ("trim", ["-o", folder.path("a.retake-1")]), ("replay", ["--output", "none"]),
      ("bundle", ["-o", folder.path("a.retake-bundle")]),
    ] {
      let result = try CommandLineTool.run([verb, recording] + short + outputs)
      #expect(result.errors.contains("\(note) --from 5s --to 10s.\n"), "\(result.errors)")
    }
    let replay = ["replay", recording, "--output", "none"]
    let open = try CommandLineTool.run(replay + ["--from", "3"]).errors
    #expect(open.contains("Frame sets 3 to 149 are 4.90 s, from 0.10 s on; for seconds, write --from 3s.\n"), "\(open)")
    #expect(!(try CommandLineTool.run(replay + ["--from", "100"]).errors.contains("for seconds")))
    let sweep = try CommandLineTool.run([
      "sweep", recording, "--from", "3", "--scores", "area", "-o", folder.path("s.sqlite"),
    ])
    #expect(sweep.errors.contains("from 0.10 s on; for seconds, write --from 3s.\n"), "\(sweep.errors)")
    #expect(sweep.errors.contains("Nothing is varied, so one setting is scored"), "\(sweep.errors)")
    let half = try CommandLineTool.run(replay + ["--from", "4.5s", "--to", "140"]).errors
    #expect(half.contains("Frame sets 135 to 140 are 0.20 s; for seconds, write --to 140s.\n"), "\(half)")
    let beyond = "\(recording) ends before --to, at 5.00 s, with frame set 149.\n"
    for (end, isTold) in [("100s", true), ("151", true), ("5.5s", false), ("150", false), ("3s", false)] {
      let errors = try CommandLineTool.run(replay + ["--from", "2s", "--to", end]).errors
      #expect(errors.contains(beyond) == isTold, "\(end): \(errors)")
    }
    let slip = try CommandLineTool.run(replay + ["--from", "1", "--to", "4s"]).errors
    #expect(slip.contains("; for seconds, write --from 1s.\n"), "\(slip)")
    for others in [
      ["--from", "0.1s", "--to", "0.2s"], ["--from", "5", "--to", "5"], ["--from", "5", "--to", "100"],
      ["--from", "5", "--to", "10", "--quiet"],
    ] {
      let errors = try CommandLineTool.run(replay + others).errors
      #expect(!errors.contains("for seconds"), "\(errors)")
    }
  }

  @Test func `a part has its frames, marks and times, and is whole`() throws {
    for (number, part) in (parts + aroundMarks).enumerated() {
      let path = folder.path("\(number).retake")
      let result = try CommandLineTool.run(["trim", recording, "-o", path, "--json"] + part.words)
      let info = try CommandLineTool.json(result.text)
      #expect(info["path"] as? String == path)
      #expect(info["is_closed"] as? Bool == true)
      #expect(info["frame_sets"] as? Int == part.frames.count, "\(part.words)")
      #expect(
        try #require(info["streams"] as? [[String: Any]]).allSatisfy { $0["frames"] as? Int == part.frames.count })
      let marks = try #require(info["marks"] as? [[String: Any]])
      #expect(marks.map { $0["label"] as? String } == part.marks, "\(part.words)")
      if let fall = marks.first(where: { $0["label"] as? String == "fall" }) {
        let seconds = Double(75 - part.frames.lowerBound) / 30
        #expect(abs(try #require(fall["seconds"] as? Double) - seconds) < 1e-5)
      }
      try CommandLineTool.run(["verify", path])
    }
  }

  @Test func `a mark before a part's first frame is at that frame, and can be removed`() throws {
    try CommandLineTool.run(["mark", recording, "--at", "2.01s", "--quiet"])
    let path = folder.path("part.retake")
    try CommandLineTool.run(["trim", recording, "-o", path, "--from", "2.005s", "--to", "3s"])
    func marks() throws -> [Substring] {
      try CommandLineTool.run(["mark", path, "--list"]).text.split(separator: "\n")
    }
    #expect(try marks() == ["0.000 s", "0.467 s  fall"])
    try CommandLineTool.run(["mark", path, "--remove", "0s"])
    #expect(try marks() == ["0.467 s  fall"])
  }

  @Test func `a damaged file of mark changes costs the changes alone, and info says so`() throws {
    try "no JSON".write(toFile: recording + "/marks.json", atomically: false, encoding: .utf8)
    let info = try CommandLineTool.run(["info", recording]).text
    #expect(info.contains("marks, as they were set: ") && info.contains("remove the file"), "\(info)")
    #expect(info.contains("fall"), "\(info)")
  }

  @Test func `frames of a camera that went on are part of an open end, and of a time after the last frame set`() throws
  {
    let devices = [30, 120].map { ["--device", "simulated?pace=fast&size=64x48&frames=\($0)&seed=\($0)"] }.flatMap(
      \.self)
    let source = folder.path("two.retake")
    try CommandLineTool.run(["record", "-o", source, "--keep-free", "0"] + devices)
    for (words, counts) in [
      (["--from", "0"], [30, 30, 30, 120, 120, 120]), (["--from", "15"], [15, 15, 15, 105, 105, 105]),
      (["--to", "0.5s"], [15, 15, 15, 15, 15, 15]), (["--from", "2s", "--to", "3s"], [0, 0, 0, 30, 30, 30]),
    ] {
      let path = folder.path("part\(words).retake")
      let result = try CommandLineTool.run(["trim", source, "-o", path, "--json"] + words)
      let streams = try #require(CommandLineTool.json(result.text)["streams"] as? [[String: Any]])
      #expect(streams.map { $0["frames"] as? Int } == counts.map(Optional.some), "\(words)")
    }
    let beyond = try CommandLineTool.run(["trim", source, "--from", "4s", "-o", folder.path("none")], expecting: 1)
    #expect(beyond.errors.contains("has no frame set after --from.\nhint: its last one is at 0.96 s"))
  }

  private func pictures(_ name: String) throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).filter { $0.hasSuffix(".png") }.sorted()
      .map { try Data(contentsOf: URL(fileURLWithPath: "\(folder.path(name))/\($0)")) }
  }

  @Test func `a part shows the same pictures as the place it was cut from`() throws {
    let path = folder.path("part.retake")
    try CommandLineTool.run(["trim", recording, "-o", path, "--mark", "fall", "--before", "200ms", "--after", "100ms"])
    try CommandLineTool.run(["export", "png", path, "-o", folder.path("a"), "--stream", "color", "--stream", "depth"])
    try CommandLineTool.run(
      ["export", "png", recording, "-o", folder.path("b"), "--from", "69", "--to", "77"]
        + ["--stream", "color", "--stream", "depth"])
    for stream in ["color", "depth"] {
      let (part, whole) = (try pictures("a/\(stream)"), try pictures("b/\(stream)"))
      #expect(part.count == 9)
      #expect(areSame(part, whole))
    }
  }

  @Test func `replay and export take the same places`() throws {
    for part in parts {
      let played = try CommandLineTool.run(["replay", recording, "--json"] + part.words)
      #expect(try CommandLineTool.json(played.text)["video_frames"] as? Int == part.frames.count, "\(part.words)")
    }
    for words in [["--from", "mark:begin", "--to", "1.2s"], ["--from", "30", "--to", "35"]] {
      for kind in ["png", "video", "mcap", "tum"] {
        let output = folder.path("\(words[1])\(kind == "png" ? "" : kind == "video" ? ".mkv" : ".\(kind)")")
        let exported = try CommandLineTool.run(["export", kind, recording, "-o", output, "--json"] + words)
        let counts = try #require(try CommandLineTool.json(exported.text)["frames"] as? [String: Int])
        #expect(counts["color"] == 6, "\(kind) \(words): \(counts)")
      }
    }
  }

  @Test func `places that are none are refused, and nothing is made`() throws {
    for (words, status, said) in [
      (["--from", "4s", "--to", "2s"], 64, "--to"), (["--from", "mark:end", "--to", "mark:begin"], 64, "--to"),
      (["--from", "2s", "--to", "2s"], 64, "--to"), (["--from", "9", "--to", "8"], 64, "--from"),
      (["--from=-5"], 64, "-5"), ([], 64, "--mark"), (["--before", "1s", "--from", "2"], 64, "--mark"),
      (["--mark", "fall", "--from", "2"], 64, "--mark"), (["--mark", "fal"], 1, "'fall'"),
      (["--from", "150"], 1, "it has 150"), (["--from", "1000h"], 1, "its last one is at 4.96 s"),
      (["--from", "9223372036854775807"], 1, "it has 150"),
    ] as [([String], Int32, String)] {
      let path = folder.path("none.retake")
      let result = try CommandLineTool.run(["trim", recording, "-o", path] + words, expecting: status)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(result.text.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: path), "\(words)")
    }
    try CommandLineTool.run(["trim", recording, "-o", recording, "--from", "1"], expecting: 1)
    try CommandLineTool.run(["trim", recording, "-o", "", "--from", "1"], expecting: 64)
    try CommandLineTool.run(["verify", recording])
  }
}
