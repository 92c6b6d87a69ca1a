import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What is said where a recording lacks what a preset needs, and that what is advised works.
@Suite(.long) struct LackingStreamsTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let needsDepth = [
    "truedepth-backdrop": "mask.kind=face", "video-depth-maps": "mask.kind=high-pass",
    "video-depth-maps-green-screen": "mask.kind=sharp-high-pass", "video-depth-maps-blur": "mask.kind=band-pass",
    "avcam-filter": "composite.mix=0.5",
  ]

  init() throws {
    folder = try TemporaryFolder()
    recording = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=8&size=96x72", "--faces", "none", "-o", recording, "--quiet"]
        + ["--keep-free", "0"])
  }

  /// One stream of the recording.
  private func stream(_ name: String) throws -> String {
    let (file, path) = (folder.path("all.mcap"), folder.path("\(name).retake"))
    if !FileManager.default.fileExists(atPath: file) {
      try CommandLineTool.run(["export", "mcap", recording, "-o", file, "--quiet"])
    }
    try CommandLineTool.run(["import", file, "--topic", "/\(name)/image", "-o", path, "--quiet"])
    return path
  }

  private func network() throws -> String {
    try SegmentationNetwork.write(SegmentationNetwork.scores(33, 33), to: folder)
  }

  @Test func `a replay that leaves out the empty start says so, and what it advises works`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "empty.retake", "frames=40&size=160x120&empty=20")
    func advice(_ words: [String]) throws -> String? {
      let errors = try CommandLineTool.run(["replay", path, "-o", "none"] + words).errors
      return errors.split(separator: "\n").first { $0.contains("begins with the empty scene") }.map(String.init)
    }
    #expect(try advice([]) == nil && advice(["--from", "4"]) == nil)
    #expect(try advice(["--from", "25", "--preset", "truedepth-backdrop"]) == nil)
    let said = try #require(try advice(["--from", "25"]))
    #expect(said.contains("frames 0 to 19,"), "\(said)")
    let sweep = try CommandLineTool.run(
      ["sweep", path, "--from", "25", "--list", "matte.blur=1,2", "-o", folder.path("s.sqlite")])
    #expect(sweep.errors.contains("begins with the empty scene"), "\(sweep.errors)")
    // A plate shows the room, which pictures without faces may not.
    for (words, hint) in [([], "'retake plate "), (["--blur-faces"], "begin with them: --from 0")] {
      let bundle = try CommandLineTool.run(
        ["bundle", path, "--from", "25", "-o", folder.path("b\(words.count).retake-bundle")] + words)
      #expect(bundle.errors.contains(hint), "\(bundle.errors)")
    }
    // As it is printed, but for the names of files.
    let plate = folder.path("room.plate")
    try CommandLineTool.run(["plate", path, "--to", "19", "-o", plate])
    #expect(try advice(["--from", "25", "--preset", "static-camera", "--set", "mask.plate=\(plate)"]) == nil)
  }

  @Test func `without depth a preset says what needs it, and what works without`() throws {
    let color = try stream("color")
    for (preset, parameter) in Self.needsDepth {
      let result = try CommandLineTool.run(["replay", color, "--preset", preset], expecting: 1)
      #expect(
        result.errors.hasPrefix("error: \(color) has no depth stream, which \(preset) needs for \(parameter).\nhint: "),
        "\(result.errors)")
      for words in ["--preset virtual-background --set mask.model=", "--preset avcam-filter --set composite.mix=0"] {
        #expect(result.errors.contains(words), "\(result.errors)")
      }
    }
    // A bundle of it is refused before anything is cut out, under the recording's own name.
    let bundle = try CommandLineTool.run(
      ["bundle", color, "-o", folder.path("c.retake-bundle")], expecting: 1)
    #expect(bundle.errors.contains("error: \(color) has no depth stream"), "\(bundle.errors)")
    // So is a sweep that no setting can be part of, before it makes a file.
    let results = folder.path("c.sqlite")
    for words in [["--best", "unsupervised"], ["--preset", "virtual-background"]] {
      let sweep = try CommandLineTool.run(
        ["sweep", color, "--list", "matte.blur=1,2", "-o", results] + words,
        expecting: words.contains("--best") ? 1 : 64)
      #expect(sweep.errors.contains("error: ") && sweep.errors.contains("mask.model=FILE.onnx"), "\(sweep.errors)")
      #expect(!FileManager.default.fileExists(atPath: results))
    }
    // What is advised works on colour alone.
    for words in [
      ["--preset", "virtual-background", "--set", "mask.model=\(try network())"],
      ["--preset", "avcam-filter", "--set", "composite.mix=0"],
    ] {
      let result = try CommandLineTool.run(["replay", color, "--json"] + words)
      #expect(try CommandLineTool.json(result.text)["video_frames"] as? Int == 8)
      #expect(try CommandLineTool.json(result.text)["skipped"] as? Int == 0)
    }
  }

  @Test func `without colour every preset says so, and what can be done with depth alone`() throws {
    let depth = try stream("depth")
    for preset in Array(Self.needsDepth.keys) + ["virtual-background", "matte-effects"] {
      let result = try CommandLineTool.run(
        ["replay", depth, "--preset", preset, "--set", "mask.model=none.onnx"], expecting: 1)
      #expect(
        result.errors == "error: \(depth) has no colour stream, which every preset needs.\n"
          + "hint: 'retake export png' exports its depth as pictures\n", "\(result.errors)")
    }
    try CommandLineTool.run(["export", "png", depth, "-o", folder.path("pictures"), "--quiet"])
  }

  @Test func `where nobody looked for faces, matte-effects says that and how to look`() throws {
    let words = ["replay", recording, "--preset", "matte-effects", "--set", "mask.model=\(try network())"]
    for output in ["none", "/dev/null", "sheet:\(folder.path("s.png"))"] {
      let result = try CommandLineTool.run(words + ["--output", output], expecting: 1)
      #expect(result.errors.contains("all 8 frames were skipped, since composite.kind=face-color takes its"))
      #expect(result.errors.contains("no detector has been run on \(recording)"), "\(result.errors)")
      #expect(result.errors.hasSuffix("hint: 'retake faces \(recording)' detects faces\n"), "\(result.errors)")
    }
    try CommandLineTool.run(["faces", recording, "--detector", "lbp?minimum=60", "--quiet"])
    let looked = try CommandLineTool.run(words, expecting: 1)
    #expect(looked.errors.contains("none was detected in \(recording) by lbp"), "\(looked.errors)")
    #expect(looked.errors.contains("--detector haar --replace"), "\(looked.errors)")
    // The matte does without faces.
    try CommandLineTool.run(words + ["--tap", "matte", "--output", "png:\(folder.path("mattes"))"])
  }

  @Test func `where the empty scene was not learned, it is said from how many frames it is`() throws {
    let words = ["replay", recording, "--set", "mask.kind=plate"]
    let result = try CommandLineTool.run(words, expecting: 1)
    #expect(
      result.errors.hasSuffix(
        """
        error: The replay gave no picture: all 8 frames were skipped, since mask.kind=plate first learns the empty scene \
        from 15 depth frames without a face, and 8 of 8 have none.
        hint: set mask.plate-frames to 8 or lower, or play a part that shows the empty scene first

        """), "\(result.errors)")
    let lower = try CommandLineTool.run(words + ["--set", "mask.plate-frames=8", "--json"])
    #expect(try CommandLineTool.json(lower.text)["skipped"] as? Int == 7)
  }

  @Test func `where every frame has a face, no lower number is advised but what works`() throws {
    let person = try CommandLineTool.recordSimulated(folder, "person.retake", "frames=8&size=96x72")
    let words = ["replay", person, "--output", "none", "--preset"]
    for (number, frames) in [("30", "30 depth frames"), ("1", "1 depth frame")] {
      let result = try CommandLineTool.run(
        words + ["static-camera", "--set", "mask.plate-frames=\(number)"], expecting: 1)
      #expect(result.errors.contains(" \(frames) without a face, and all 8 have one."), "\(result.errors)")
      #expect(!result.errors.contains("lower") && !result.errors.contains(" 0 "), "\(result.errors)")
      for advice in ["--preset desk", "'retake plate EMPTY.retake -o FILE'", "--set mask.plate=FILE"] {
        #expect(result.errors.contains(advice), "\(result.errors)")
      }
    }
    let (empty, plate) = (folder.path("empty.retake"), folder.path("room.retake-plate"))
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=8&size=96x72&person=false", "-o", empty, "--keep-free", "0"])
    try CommandLineTool.run(["plate", empty, "--preset", "static-camera", "-o", plate])
    for advised in [["desk"], ["static-camera", "--set", "mask.plate=\(plate)"]] {
      let counts = try CommandLineTool.json(CommandLineTool.run(words + advised + ["--json"]).text)
      #expect(counts["skipped"] as? Int == 0)
    }
  }

  @Test func `where no network is named, masks that are kept are`() throws {
    let words = ["replay", recording, "--preset", "virtual-background"]
    let none = try CommandLineTool.run(words, expecting: 64)
    #expect(none.errors.contains("mask.model=FILE.onnx") && !none.errors.contains("kept masks"), "\(none.errors)")
    let model = try network()
    try CommandLineTool.run(words + ["--set", "mask.model=\(model)"])
    try FileManager.default.removeItem(atPath: model)
    let kept = try CommandLineTool.run(words, expecting: 64)
    #expect(
      kept.errors.contains("the recording has kept masks of person.onnx, which mask.model=person.onnx uses"),
      "\(kept.errors)")
    try CommandLineTool.run(words + ["--set", "mask.model=person.onnx"])
  }

  @Test func `a camera whose faces nobody looks for is said to show nothing`() throws {
    let result = try CommandLineTool.run(
      [
        "live", "--device", "simulated?pace=fast&frames=8&size=96x72&faces=0", "--faces", "none", "--output", "none",
        "--preset", "matte-effects", "--set", "mask.model=\(try network())",
      ])
    #expect(result.errors.contains("Nothing was shown: composite.kind=face-color takes its colour from a face"))
    #expect(result.errors.contains("--faces"), "\(result.errors)")
  }
}
