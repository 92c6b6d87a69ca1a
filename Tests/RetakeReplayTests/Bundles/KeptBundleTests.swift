import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What becomes of a bundle that is unpacked: its frames keep the numbers that they were recorded with, whatever is done next.
@Suite(.long) struct KeptBundleTests {
  private let folder: TemporaryFolder
  private let recording: String
  private let bundle: String
  private let kept: String
  /// Frame 7 gets no depth of its own, and what holds there was smoothed since frame 6.
  private static let settings = [
    "--preset", "video-depth-maps", "--set", "depth.rate=1/3", "--set", "depth.temporal=smooth",
  ]

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=24&size=64x48")
    bundle = folder.path("b.retake-bundle")
    kept = folder.path("kept")
    try CommandLineTool.run(
      ["bundle", recording, "--from", "7", "--to", "20", "-o", bundle, "--quiet"] + Self.settings)
  }

  private func keep() throws {
    try CommandLineTool.run(["reproduce", bundle, "--keep", kept, "--quiet"])
  }

  /// Digests of the recording that was kept.
  private func replay(_ words: [String]) throws -> String {
    let path = folder.path(UUID().uuidString)
    try CommandLineTool.run(
      ["replay", "\(kept)/recording.retake", "--parameters", "\(kept)/parameters.yaml", "--quiet"] + words
        + ["--output", "digests:\(path)"])
    return path
  }

  @Test func `a replay of a kept bundle differs from what is expected where a parameter makes it, and nowhere else`()
    throws
  {
    try keep()
    let expected = "\(kept)/expected.jsonl"
    let same = try CommandLineTool.run(["compare", expected, try replay([])])
    #expect(same.text == "14 frames equal in every stage\n")
    let blurred = try replay(["--set", "matte.blur=6"])
    let found = try CommandLineTool.run(
      ["compare", expected, blurred, "--recording", "\(kept)/recording.retake", "--quiet", "--json"], expecting: 1)
    let json = try CommandLineTool.json(found.text)
    let first = try #require(json["first_difference"] as? [String: Any])
    #expect(first["frame"] as? Int == 7 && first["stage"] as? String == "matte", "\(found.text)")
    #expect(json["frames_compared"] as? Int == 14)
    for only in ["only_a", "only_b"] { #expect((json[only] as? [String: Any])?["count"] as? Int == 0) }
    #expect((json["header_differences"] as? [[String: Any]])?.count == 1, "\(found.text)")
    #expect((json["pixels"] as? [String: Any])?["maximum"] as? Int ?? 0 > 0, "\(found.text)")
    // What a replay that begins elsewhere brings along is no change of its parameters, and is said.
    let earlier = try CommandLineTool.run(
      ["compare", expected, try replay(["--from", "8", "--set", "depth.temporal-alpha=0.3"])], expecting: 1)
    #expect(
      earlier.text.contains("begin at frames 7 and 8; this alone can change results"), "\(earlier.text)")
    // A change on the way is named by the number that the frame has in the whole.
    let later = try CommandLineTool.run(
      ["compare", expected, try replay(["--at", "12 matte.blur=6"])], expecting: 1)
    #expect(later.text.contains("the first difference is in frame 12, stage matte"), "\(later.text)")
  }

  @Test func `frames of a kept bundle have one number in every command`() throws {
    try keep()
    let part = "\(kept)/recording.retake"
    let pictures = folder.path("pictures")
    try CommandLineTool.run(["replay", part, "--from", "10", "--to", "11", "--output", "png:\(pictures)"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: pictures).sorted() == ["000010.png", "000011.png"])
    // As in the whole recording, where the same frames are replayed.
    let whole = folder.path("whole.jsonl")
    try CommandLineTool.run(
      ["replay", recording, "--from", "7", "--to", "20", "--output", "digests:\(whole)"] + Self.settings)
    #expect(
      try CommandLineTool.run(["compare", whole, try replay([])]).text.contains("14 frames equal in every stage"))
    // A bundle of the bundle is of the same frames.
    let again = folder.path("again.retake-bundle")
    try CommandLineTool.run(["bundle", part, "--from", "9", "--to", "12", "-o", again] + Self.settings)
    let found = try CommandLineTool.json(
      CommandLineTool.run(["reproduce", again, "--set", "matte.blur=6", "--json"], expecting: 1).text)
    #expect(found["frame"] as? Int == 9 && found["frames"] as? Int == 4)
    for words in [["--from", "2"], ["--from", "30"], ["--at", "1 matte.blur=6"]] {
      let result = try CommandLineTool.run(["replay", part] + words, expecting: 1)
      #expect(result.errors.contains("frame sets"), "\(result.errors)")
    }
  }

  @Test func `digests that number the frames of one recording from 0 meet those with the recorded numbers`() throws {
    try keep()
    // As in a folder that an earlier version unpacked.
    try FileManager.default.removeItem(atPath: "\(kept)/recording.retake/part.json")
    // Depth that comes with every frame does not depend on numbers.
    let settings = ["--set", "depth.rate=1/1", "--set", "depth.temporal=none"]
    let old = try replay(settings + ["--set", "matte.blur=6"])
    let found = folder.path("found")
    try CommandLineTool.run(
      ["reproduce", bundle, "--keep", found, "--quiet"] + settings, expecting: 1)
    let compared = try CommandLineTool.run(
      ["compare", "\(found)/found.jsonl", old, "--recording", "\(found)/recording.retake"], expecting: 1)
    #expect(compared.text.contains("the first difference is in frame 7, stage matte"), "\(compared.text)")
    #expect(compared.text.contains("B numbers the recording's frames from 0"), "\(compared.text)")
    #expect(compared.text.contains("levels, at x"), "\(compared.text)")
  }

  @Test func `reproduce --set says in one step from which frame and stage on a change makes a difference`() throws {
    let found = try CommandLineTool.run(["reproduce", bundle, "--set", "matte.blur=6"], expecting: 1)
    #expect(
      found.text.hasPrefix("\(bundle): with matte.blur=6: Frame 7 differs, first in matte: expected "), "\(found.text)")
    #expect(
      found.text.hasSuffix("14 of 14 frames differ: matte of 14, composite of 14.\n"), "\(found.text)")
    let json = try CommandLineTool.json(
      CommandLineTool.run(["reproduce", bundle, "--set", "matte.blur=6", "--json"], expecting: 1).text)
    #expect(json["set"] as? [String] == ["matte.blur=6"] && json["frame"] as? Int == 7)
    #expect((json["differing_by_stage"] as? [String: Int])?["matte"] == 14)
    // What changes nothing is said to, and what is no parameter is refused before anything is unpacked.
    let same = try CommandLineTool.run(["reproduce", bundle, "--set", "mask.plate-frames=9"])
    #expect(same.text.contains("with mask.plate-frames=9: nothing changes: 14 frames are as expected."), "\(same.text)")
    let wrong = try CommandLineTool.run(
      ["reproduce", bundle, "--set", "matte.blurr=6", "--keep", kept], expecting: 64)
    #expect(wrong.errors.contains("matte.blur"), "\(wrong.errors)")
    #expect(!FileManager.default.fileExists(atPath: kept))
  }

  @Test func `reproduce --set takes a background of one's own, and keeps both outputs`() throws {
    let picture = folder.path("room.png")
    try CommandLineTool.run([
      "replay", recording, "--to", "0", "--output", "png:\(folder.path("p"))", "--tap", "original",
    ])
    try FileManager.default.moveItem(atPath: folder.path("p/000000.png"), toPath: picture)
    let words = ["--set", "composite.kind=backdrop", "--set", "composite.background=\(picture)", "--keep", kept]
    let found = try CommandLineTool.run(["reproduce", bundle] + words, expecting: 1)
    #expect(found.text.contains("Frame 7 differs, first in composite"), "\(found.text)")
    let compared = try CommandLineTool.run(
      [
        "compare", "\(kept)/expected.jsonl", "\(kept)/found.jsonl", "--recording", "\(kept)/recording.retake",
        "--background", picture,
      ], expecting: 1)
    #expect(compared.text.contains("composite.kind: comic / backdrop"), "\(compared.text)")
    #expect(compared.text.contains("levels, at x"), "\(compared.text)")
    let missing = try CommandLineTool.run(
      ["reproduce", bundle, "--set", "composite.background=\(folder.path("none.png"))"], expecting: 1)
    #expect(missing.errors.contains("error: There is no \(folder.path("none.png"))"), "\(missing.errors)")
  }
}
