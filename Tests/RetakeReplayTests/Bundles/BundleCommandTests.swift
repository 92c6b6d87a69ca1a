import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A bug report from end to end: made of a recording, sent as one file, held against a replay.
@Suite(.long) struct BundleCommandTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let incident = ["--from", "1s", "--to", "4s"]

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=150&size=96x72&seed=7")
  }

  private func bundle(_ arguments: [String], _ name: String = "b.retake-bundle") throws -> String {
    let path = folder.path(name.hasSuffix(".retake-bundle") ? name : name + ".retake-bundle")
    let made = try CommandLineTool.run(["bundle", recording, "-o", path] + arguments)
    #expect(made.text == path + "\n")
    return path
  }

  /// The digests that a bundle expects, unpacked.
  private func expectation(_ bundle: String) throws -> [String] {
    let kept = folder.path(UUID().uuidString)
    try CommandLineTool.run(["reproduce", bundle, "--quiet", "--keep", kept])
    return try String(contentsOfFile: kept + "/expected.jsonl", encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// What the same part gives in the whole recording; the first line, which names the recording, is left out.
  private func digests(_ arguments: [String]) throws -> [String] {
    try CommandLineTool.run(["replay", recording, "--output", "digests:-"] + arguments).text
      .split(separator: "\n").dropFirst().map(String.init)
  }

  private func names(_ path: String) throws -> [String] {
    try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }.sorted()
  }

  @Test func `an incident of 3 s reproduces, with nothing of the machine it was made on`() throws {
    let made = try bundle(Self.incident + ["--preset", "video-depth-maps", "--note", "the left hand\nflickers"])
    try FileManager.default.removeItem(atPath: recording)
    let elsewhere = try TemporaryFolder()
    try FileManager.default.moveItem(atPath: made, toPath: elsewhere.path("x"))
    let result = try CommandLineTool.run(["reproduce", elsewhere.path("x")])
    #expect(result.text.contains("reproduced: 90 frames"), "\(result.text)")
    #expect(result.errors.contains("  the left hand\n  flickers"))
    #expect(try names(elsewhere.path) == ["x"], "something was left beside it")
  }

  @Test func `a replay without a picture is said where it is bundled and reproduced`() throws {
    let path = folder.path("nothing.retake-bundle")
    // Nobody leaves the scene, so that the empty one is never learned.
    let made = try CommandLineTool.run(
      ["bundle", recording, "--preset", "static-camera", "--set", "mask.plate-frames=1000", "--to", "1s", "-o", path])
    #expect(made.errors.contains("gives no picture"), "\(made.errors)")
    let found = try CommandLineTool.run(["reproduce", path])
    #expect(found.text.contains("reproduced: as expected, the replay gives no picture"), "\(found.text)")
  }

  @Test func `a pointer of Git LFS is told from a bundle`() throws {
    let path = folder.path("pointer.retake-bundle")
    let text = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let said = try CommandLineTool.run(["reproduce", path], expecting: 1).errors
    #expect(said.contains("it is a pointer of Git LFS") && said.contains("hint: 'git lfs pull'"), "\(said)")
  }

  @Test func `its digests are those of the same part in the whole recording`() throws {
    for (number, arguments) in [
      ["--preset", "truedepth-backdrop"], ["--preset", "video-depth-maps", "--set", "depth.rate=1/7", "--from", "39"],
      ["--set", "depth.rate=2/5", "--set", "depth.phase=1", "--from", "mark:no", "--to", "100"],
      ["--preset", "video-depth-maps", "--at", "40", "matte.blur=8", "--at", "1.5s", "mask.focus=0.4"],
      ["--set", "depth.latency=7", "--set", "faces.rate=1/9", "--set", "faces.latency=4", "--from", "44"],
      ["--preset", "video-depth-maps", "--from", "31"]
        + [
          "depth-drop=0.3", "depth-duplicate=0.2", "depth-swap=0.2", "depth-jitter=3", "depth-noise=1",
          "color-drop=0.1",
        ]
        .flatMap { ["--set", "fault.\($0)"] },
    ].enumerated() {
      var arguments = arguments
      if arguments.contains("mark:no") {
        try CommandLineTool.run(["mark", recording, "--at", "1.5s", "--label", "no", "--quiet"])
      } else {
        arguments += arguments.contains("--from") ? ["--to", "60"] : Self.incident
      }
      let expected = try expectation(try bundle(arguments, "\(number)"))
      let whole = try digests(arguments)
      #expect(whole.count > 10)
      #expect((Array(expected.dropFirst()) == whole) == true, "\(arguments)")
    }
  }

  @Test func `equal words make equal files`() throws {
    let words = Self.incident + ["--preset", "video-depth-maps", "--note", "again"]
    let first = try Data(contentsOf: URL(fileURLWithPath: bundle(words, "1")))
    let second = try Data(contentsOf: URL(fileURLWithPath: bundle(words + ["--threads", "1"], "2")))
    #expect((first == second) == true)
  }

  @Test func `a part around a mark, as JSON says it`() throws {
    try CommandLineTool.run(["mark", recording, "--at", "3s", "--label", "fall", "--quiet"])
    let path = folder.path("m.retake-bundle")
    let result = try CommandLineTool.run(
      ["bundle", recording, "--mark", "fall", "--before", "500ms", "--after", "500ms", "-o", path, "--json"])
    let json = try CommandLineTool.json(result.text)
    #expect(json["frames"] as? Int == 30 && json["path"] as? String == path)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(json["bytes"] as? Int == size)
    try CommandLineTool.run(["reproduce", path, "--quiet"])
  }

  @Test func `a picture, a video and a recording behind the person come along`() throws {
    let picture = folder.path("p")
    try CommandLineTool.run(["export", "png", recording, "-o", picture, "--stream", "color", "--to", "0"])
    let png = try #require(try names(picture).first { $0.hasSuffix(".png") })
    let video = folder.path("v.mkv")
    try CommandLineTool.run(["export", "video", recording, "-o", video, "--stream", "color", "--to", "20"])
    let other = try CommandLineTool.recordSimulated(folder, "other.retake", "frames=12&size=64x48&seed=3")
    for (number, background) in [picture + "/" + png, video, other].enumerated() {
      let words = ["--from", "33", "--to", "50", "--background", background]
      let made = try bundle(words, "\(number)")
      let whole = try digests(words)
      try FileManager.default.moveItem(atPath: background, toPath: background + ".away")
      let expected = try expectation(made)
      #expect((Array(expected.dropFirst()) == whole) == true, "\(background)")
      // Where it lay is nobody's business.
      let bytes = try Data(contentsOf: URL(fileURLWithPath: made))
      #expect(bytes.range(of: Data(folder.path.utf8)) == nil, "\(background)")
    }
  }

  @Test func `the masks of a network come along, and the network does not`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.matte(33, 47), to: folder)
    let words = ["--from", "10", "--to", "19", "--preset", "virtual-background", "--set", "mask.model=\(model)"]
    let whole = try digests(words)
    let made = try bundle(words, "1")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: made))
    #expect(bytes.range(of: try Data(contentsOf: URL(fileURLWithPath: model))) == nil)
    try FileManager.default.removeItem(atPath: model)
    let expected = try expectation(made)
    // The last line has a digest of masks with the numbers of their frames, which are others in the part.
    #expect((expected.dropFirst().dropLast() == whole.dropLast()) == true)
    // From here on there are only the masks that the first replay kept.
    #expect((try expectation(bundle(words, "2")) == expected) == true)
    let key = try #require(try FileManager.default.contentsOfDirectory(atPath: recording + "/masks").first)
    let byKey = words.dropLast() + ["mask.model=\(key)"]
    #expect((try expectation(bundle(Array(byKey), "3")) == expected) == true)
  }

  @Test(arguments: ["drop-color", "blur-faces", "faces-only-boxes"])
  func `what is removed for somebody's privacy is told, and the bundle reproduces`(rule: String) throws {
    let words = ["--from", "10", "--to", "19", "--preset", "video-depth-maps"]
    let plain = try expectation(bundle(words, "plain"))
    let made = try bundle(words + ["--\(rule)"], "redacted")
    let redacted = try expectation(made)
    #expect(redacted.count == plain.count)
    func stage(_ lines: [String], _ name: String) throws -> [String] {
      try lines.dropFirst().dropLast().map { try #require(try CommandLineTool.json($0)[name] as? String) }
    }
    let colors = zip(try stage(plain, "source_color"), try stage(redacted, "source_color"))
    #expect(colors.allSatisfy { $0 != $1 }, "colour is as it was")
    #expect((try stage(plain, "source_depth") == stage(redacted, "source_depth")) == true)
    let json = try CommandLineTool.json(CommandLineTool.run(["reproduce", made, "--json"]).text)
    #expect((json["removed"] as? [String])?.isEmpty == false)
    let kept = folder.path("kept")
    try CommandLineTool.run(["reproduce", made, "--quiet", "--keep", kept])
    let pictures = folder.path("pictures")
    try CommandLineTool.run(
      ["export", "png", kept + "/recording.retake", "-o", pictures, "--stream", "color", "--to", "10"])
  }

  @Test func `masks of pictures as they were stay at home when the pictures are changed`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.matte(33, 47), to: folder)
    let words = ["--from", "10", "--to", "19", "--preset", "virtual-background", "--set", "mask.model=\(model)"]
    // Keeps its masks beside the recording.
    _ = try digests(words)
    let plain = try expectation(bundle(words, "plain"))
    // The network looks again, at pictures without colour.
    let redacted = try expectation(bundle(words + ["--drop-color"], "redacted"))
    func masks(_ lines: [String]) throws -> [String] {
      try lines.dropFirst().dropLast().map { try #require(try CommandLineTool.json($0)["mask"] as? String) }
    }
    #expect(zip(try masks(plain), try masks(redacted)).allSatisfy { $0 != $1 })
    // Whoever has their masks only cannot know what it would say.
    try FileManager.default.removeItem(atPath: model)
    let result = try CommandLineTool.run(
      ["bundle", recording, "-o", folder.path("without.retake-bundle")] + words + ["--drop-color"], expecting: 1)
    #expect(result.errors.contains("The network must compute masks for the redacted pictures"), "\(result.errors)")
    #expect(
      try CommandLineTool.run(["reproduce", bundle(words + ["--drop-serials"], "serials"), "--quiet"]).status == 0)
  }

  @Test func `an unpacked bundle replays with the commands at hand`() throws {
    let made = try bundle(Self.incident + ["--preset", "video-depth-maps", "--set", "matte.blur=3"])
    let kept = folder.path("kept")
    let result = try CommandLineTool.run(["reproduce", made, "--keep", kept, "--expect-different"], expecting: 1)
    #expect(result.text.contains("an output that the bundle documents as wrong"))
    try CommandLineTool.run(["verify", kept + "/recording.retake"])
    let again = try CommandLineTool.run(
      ["replay", kept + "/recording.retake", "--parameters", kept + "/parameters.yaml", "--output", "digests:-"])
    let expected = try CommandLineTool.jsonLines(String(contentsOfFile: kept + "/expected.jsonl", encoding: .utf8))
    let found = try CommandLineTool.jsonLines(again.text)
    #expect(found.count == expected.count)
    #expect(
      zip(found, expected).dropFirst().dropLast().allSatisfy {
        $0["composite"] as? String == $1["composite"] as? String
      })
  }

  @Test func `what cannot be made is told, and nothing is left`() throws {
    let before = try names(folder.path)
    for (words, status, said) in [
      (["--from", "150"], 1, "no frames in the selected range"), (["--from", "2s", "--to", "1s"], 64, "--to"),
      (["--mark", "x"], 1, "'x'"), (["--set", "matte.blurr=1"], 64, "matte.blur"),
      (["--background", folder.path("none.jpg")], 1, "none.jpg"), (["--mark", "x", "--from", "1"], 64, "--mark"),
      (["--before", "1s"], 64, "--mark"), (["--threads", "0"], 64, "--threads"),
      (["--note", String(repeating: "x", count: 70_000)], 64, "note"),
      (["--preset", "virtual-background"], 64, "mask.model"),
    ] as [([String], Int32, String)] {
      let result = try CommandLineTool.run(
        ["bundle", recording, "-o", folder.path("new.retake-bundle")] + words, expecting: status)
      #expect(result.errors.contains(said), "\(words.map { $0.prefix(40) }): \(result.errors)")
      #expect(result.text.isEmpty)
      #expect(try names(folder.path) == before, "\(words.map { $0.prefix(40) }) left something")
    }
    let made = try bundle(["--to", "3"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: made))
    let result = try CommandLineTool.run(["bundle", recording, "--to", "4", "-o", made], expecting: 1)
    #expect(result.errors.contains("exists"))
    #expect((try Data(contentsOf: URL(fileURLWithPath: made)) == bytes) == true)
  }
}
