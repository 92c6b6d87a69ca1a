import CommandTestSupport
import Foundation
import FrameModel
import Media
import Support
import TestSupport
import Testing

/// What a bundle from which people were taken out shows all the same, and what it says of that.
@Suite(.long) struct BundlePrivacyTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let part = ["--from", "10", "--to", "13"]

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=30&size=96x72&seed=7")
  }

  private func bundle(_ words: [String], _ name: String, expecting status: Int32 = 0) throws -> ChildProcess {
    try CommandLineTool.run(
      ["bundle", recording, "-o", folder.path(name + ".retake-bundle")] + Self.part + words, expecting: status)
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name + ".retake-bundle")))
  }

  @Test func `a recording or a video behind the person is refused where pictures are changed`() throws {
    let video = folder.path("v.mkv")
    try CommandLineTool.run(["export", "video", recording, "-o", video, "--stream", "color", "--to", "9"])
    let other = try CommandLineTool.recordSimulated(folder, "other.retake", "frames=12&size=64x48&seed=3")
    for (background, kind) in [(video, "video"), (other, "recording")] {
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      for rule in ["--drop-color", "--blur-faces", "--faces-only-boxes", "--drop-serials"] {
        let result = try bundle(["--background", background, rule], "refused", expecting: 1)
        #expect(result.errors.contains("The background \(background) is a \(kind)"), "\(result.errors)")
        #expect(result.errors.contains("use a picture as background, or none"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
      }
      let result = try bundle(["--background", background], "whole \(kind)")
      #expect(result.errors.contains("The background \(background) goes into the bundle."), "\(result.errors)")
    }
  }

  @Test func `of a picture behind the person only its pixels go in, and it reproduces`() throws {
    var image = RGBImage(width: 64, height: 48)
    for index in image.pixels.indices { image.pixels[index] = UInt8(index * 7 / 5 & 255) }
    var file = try JPEGEncoder.encode(image)
    let secret = "Exif: where it was taken"
    file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(secret.utf8.count + 2)] + Array(secret.utf8), at: 2)
    let picture = folder.path("room")
    try FileBytes.write(file, to: picture)
    for (words, isKept) in [
      ([], true), (["--drop-color"], false), (["--blur-faces"], false), (["--drop-serials"], false),
    ] as [([String], Bool)] {
      let name = "\(words.count)" + (words.first ?? "")
      let result = try bundle(["--background", picture] + words, name)
      #expect((try bytes(name).range(of: Data(secret.utf8)) != nil) == isKept, "\(words)")
      let told = result.errors.components(separatedBy: "The background \(picture) goes into the bundle.").count - 1
      #expect(told == 1, "\(result.errors)")
      try CommandLineTool.run(["reproduce", folder.path(name + ".retake-bundle"), "--quiet"])
    }
  }

  @Test func `frames without a known face are told, and a part without any is refused`() throws {
    let recording = try CommandLineTool.recordSimulated(
      folder, "lost.retake", "frames=60&size=96x72&seed=7&face-lost=0-39")
    for rule in ["blur-faces", "faces-only-boxes"] {
      let path = folder.path(rule + ".retake-bundle")
      let made = try CommandLineTool.run(["bundle", recording, "-o", path, "--\(rule)", "--json"])
      let told = try CommandLineTool.json(made.text)
      let removed = try #require((told["removed"] as? [String])?.first)
      let counts = removed.matches(of: /in (\d+) of 60 frames, where one is known/)
      let covered = try #require(counts.first.flatMap { Int($0.output.1) }, "\(removed)")
      #expect((20..<60).contains(covered), "\(removed)")
      let remains = try #require(told["remains"] as? String)
      #expect(
        remains.hasPrefix("the whole colour of frames in which no face is known: \(60 - covered); "), "\(remains)")
      #expect(try CommandLineTool.run(["reproduce", path]).errors.contains("\(covered) of 60 frames"))
      let none = folder.path("none.retake-bundle")
      let refused = try CommandLineTool.run(
        ["bundle", recording, "-o", none, "--\(rule)", "--from", "0", "--to", "9"], expecting: 1)
      #expect(refused.errors.contains("cannot be covered: none is known in the part."), "\(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: none))
    }
  }

  @Test func `what was taken out is said once, and what was left is said too`() throws {
    let cases: [(rules: [String], said: [String], unsaid: [String])] = [
      (["drop-color", "blur-faces"], ["Colour is black"], ["squares", "grey", "away from the faces"]),
      (["drop-color", "faces-only-boxes"], ["is black", "Nothing but their boxes"], ["grey", "angles"]),
      (
        ["blur-faces", "faces-only-boxes"], ["are grey", "away from the faces", "Nothing but"], ["squares", "angles"]
      ),
      (["blur-faces"], ["squares", "boxes and angles"], ["grey", "Colour and"]),
      (["drop-serials"], ["left out", "colour, with the people"], ["black", "; serial numbers"]),
    ]
    for (rules, said, unsaid) in cases {
      let result = try bundle(["--json"] + rules.map { "--" + $0 }, rules.joined(separator: "+"))
      let told = try CommandLineTool.json(result.text)
      let removed = try #require(told["removed"] as? [String])
      let last = try #require(told["remains"] as? String)
      let text = (removed + [last]).joined(separator: "\n")
      for words in said { #expect(text.contains(words), "\(rules): \(text)") }
      // The recording has none.
      for words in unsaid + ["infrared"] { #expect(!text.contains(words), "\(rules): \(text)") }
      #expect(last.contains("depth, which shows the shape of faces") && last.contains("times"))
      #expect(last.contains("the recording's id; versions of Retake, system, kernel"), "\(last)")
      #expect(!last.contains("background"))
    }
    let next = try bundle(["--drop-color"], "next step").errors.split(separator: "\n")
    #expect(next.contains("  retake reproduce '\(folder.path("next step.retake-bundle"))' --keep FOLDER"), "\(next)")
    #expect(next.contains("  retake replay FOLDER/recording.retake --parameters FOLDER/parameters.yaml"), "\(next)")
    let plain = try CommandLineTool.json(bundle(["--json"], "plain").text)
    #expect((plain["removed"] as? [String])?.isEmpty == true)
  }
}
