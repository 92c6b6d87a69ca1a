import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// An empty scene that is learned once and kept as a file.
@Suite(.long) struct PlateCommandTests {
  private let folder: TemporaryFolder
  private let recording: String
  private let plate: String
  private static let learning = ["--preset", "static-camera", "--set", "mask.plate-frames=20"]

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(
      folder, "a.retake", "frames=60&size=160x120&scene=walk&empty=20&seed=3")
    plate = folder.path("room.retake-plate")
    let made = try CommandLineTool.run(["plate", recording, "--preset", "static-camera", "--to", "19", "-o", plate])
    #expect(made.text == plate + "\n" && made.errors.contains("learned 160x120 from 20 depth frames"), "\(made.errors)")
  }

  private func lines(_ arguments: [String]) throws -> [Substring] {
    try CommandLineTool.run(["replay", recording, "--output", "digests:-"] + arguments).text.split(separator: "\n")
  }

  private var reading: [String] { Self.learning + ["--set", "mask.plate=\(plate)"] }

  @Test func `frames have the bits of a replay that learned it, from the first frame on`() throws {
    let learned = try lines(Self.learning).dropFirst().dropLast()
    let read = try lines(reading).dropFirst().dropLast()
    #expect(read.count == 60 && learned.count == 41)
    #expect(Array(read.suffix(41)) == Array(learned))
    let late = try lines(reading + ["--from", "40"])
    #expect(late.count == 22)
    // A composite also depends on the frame before, where the picture stands still.
    func mask(_ line: Substring) throws -> String? { try CommandLineTool.json(String(line))["mask"] as? String }
    for (a, b) in zip(late.dropFirst(), learned.suffix(20)) { #expect(try mask(a) == mask(b)) }
    for count in ["1", "2", "5"] { #expect(try lines(reading + ["--threads", count]) == lines(reading)) }
  }

  @Test func `mattes are right from the first frame on where people are in it`() throws {
    let results = folder.path("best.sqlite")
    try CommandLineTool.run(
      [
        "sweep", recording, "--scores", "iou", "--from", "30", "-o", results, "--list", "mask.plate=,\(plate)",
        "--quiet",
      ] + Self.learning)
    let lines = try CommandLineTool.run(["sweep", "table", results, "--csv"]).text.split(whereSeparator: \.isNewline)
    let column = try #require(lines.first?.split(separator: ",").firstIndex(of: "iou"))
    let ious = lines.dropFirst().map {
      Double($0.split(separator: ",", omittingEmptySubsequences: false)[column]) ?? .nan
    }
    #expect(ious.count == 2 && ious[0] == 0 && ious[1] > 0.7, "\(ious)")
  }

  @Test func `a bundle carries the file and reproduces without it`() throws {
    let bundle = folder.path("a.retake-bundle")
    let made = try CommandLineTool.run(["bundle", recording, "--from", "30", "--to", "40", "-o", bundle] + reading)
    #expect(made.errors.contains("depth and colours of the empty room"), "\(made.errors)")
    let kept = folder.path("kept")
    try FileManager.default.moveItem(atPath: plate, toPath: folder.path("elsewhere"))
    let result = try CommandLineTool.run(["reproduce", bundle, "--keep", kept])
    #expect(result.text.contains("reproduced: 11 frames"), "\(result.text)")
    let again = [
      "replay", kept + "/recording.retake", "--parameters", kept + "/parameters.yaml", "--output", "digests:-",
    ]
    let digests = try CommandLineTool.run(again).text.split(separator: "\n")
    let expected = try String(contentsOfFile: kept + "/expected.jsonl", encoding: .utf8).split(separator: "\n")
    #expect(Array(digests) == expected)
    // Without it, nothing is known of the scene.
    let without = try CommandLineTool.run(["reproduce", bundle, "--set", "mask.plate="], expecting: 1)
    #expect(without.text.contains("is missing"), "\(without.text)")
    try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: plate)
    let blurred = try CommandLineTool.run(
      ["bundle", recording, "--drop-color", "-o", folder.path("b.retake-bundle")] + reading, expecting: 1)
    #expect(blurred.errors.contains("with the room that it shows"), "\(blurred.errors)")
  }

  @Test func `a sweep tries files, and a changed one is another setting`() throws {
    let results = folder.path("s.sqlite")
    let words =
      ["sweep", recording, "--scores", "iou", "--from", "20", "-o", results]
      + Self.learning + ["--list", "mask.plate=,\(plate)"]
    try CommandLineTool.run(words)
    try CommandLineTool.run(words)
    let other = folder.path("other.retake-plate")
    try CommandLineTool.run(["plate", recording, "--preset", "static-camera", "--to", "9", "-o", other])
    try CommandLineTool.run(["plate", recording, "--to", "9", "-o", plate, "--force"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: plate)) == Data(contentsOf: URL(fileURLWithPath: other)))
    #expect(try CommandLineTool.run(words, expecting: 64).errors.contains("its settings differ"))
  }

  @Test func `digests name it, and a comparison finds its file`() throws {
    let (a, b) = (folder.path("a.jsonl"), folder.path("b.jsonl"))
    try CommandLineTool.run(["replay", recording, "--output", a, "--quiet"] + reading)
    try CommandLineTool.run(
      ["replay", recording, "--output", b, "--quiet", "--set", "mask.plate-margin=0.2"] + reading)
    let words = ["compare", a, b, "--recording", recording]
    let found = try CommandLineTool.run(words + ["--plate", plate], expecting: 1)
    #expect(found.text.contains("mask.plate-margin") && !found.text.contains("plate:"), "\(found.text)")
    let lacking = try CommandLineTool.run(words, expecting: 1)
    #expect(lacking.errors.contains("made with a plate") && lacking.errors.contains("--plate"), "\(lacking.errors)")
  }

  @Test func `movement, faces and files that are no plate are reported`() throws {
    let other = folder.path("x.retake-plate")
    let people = try CommandLineTool.run(["plate", recording, "--from", "25", "-o", other])
    #expect(people.errors.contains("people may have been in it"), "\(people.errors)")
    #expect(try CommandLineTool.run(["plate", recording, "-o", other], expecting: 1).errors.contains("already exists"))
    let waving = try CommandLineTool.recordSimulated(folder, "w.retake", "frames=12&size=160x120")
    let faces = try CommandLineTool.run(["plate", waving, "-o", other, "--force"], expecting: 1)
    #expect(faces.errors.contains("none of 12 depth frames is without a face"), "\(faces.errors)")
    for (path, word) in [
      (folder.path("none"), "There is no"), (recording + "/chunks/000000.mcap", "is not a plate"),
      (recording, "it is a recording"),
    ] {
      let bad = try CommandLineTool.run(
        ["replay", recording, "--preset", "static-camera", "--set", "mask.plate=\(path)", "--output", "none"],
        expecting: 1)
      #expect(bad.errors.contains(word), "\(bad.errors)")
    }
    let small = try CommandLineTool.run(
      ["replay", waving, "--output", "none", "--set", "depth.decimation=2"] + reading, expecting: 1)
    #expect(small.errors.contains("has 160x120 pixels, but the prepared depth has 80x60"), "\(small.errors)")
  }
}
