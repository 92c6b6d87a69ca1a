import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Marks on the page of 'retake studio', a frame without a picture, and a bundle: see browse_marks.py.
@Suite(.long) struct StudioMarkTests {
  private struct Tile: Decodable {
    var isShown: Bool
    var text: String
  }

  private struct Missing: Decodable {
    var tiles: [String: Tile]
    var isSameOriginal: Bool
    var histogram: String
    var why: String
    var wrong: Int
  }

  private struct Step: Decodable {
    var marks: [String]
    var told: String
  }

  private struct Answers: Decodable {
    var missing: Missing
    /// What is said of a frame that there is not: in the whole recording, and with a range.
    var beyond: [String]
    var faint: [String]
    var focused: String
    var frame: Int
    var steps: [Step]
    var nothing: String
    var refused: String
    var stays: Bool
    var bundle: [String]
    var reloaded: [String]
    var console: [String]
    var end: Int
  }

  private let folder: TemporaryFolder
  private let shots: TemporaryFolder
  private let recording: String

  init() throws {
    (folder, shots) = (try TemporaryFolder(), try TemporaryFolder())
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=160x120")
    try CommandLineTool.run(["mark", recording, "--at", "2", "--label", "leaves"])
  }

  private func chunkFiles() throws -> [String: Data] {
    let chunks = recording + "/chunks/"
    let names = try FileManager.default.contentsOfDirectory(atPath: chunks)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: chunks + $0))) })
  }

  @Test
  func `marks are set, renamed, removed and brought back beside the frames, and a frame without a picture says why`()
    throws
  {
    let before = try chunkFiles()
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_marks.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, recording, shots.path])
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(Answers.self, from: result.output)

    let missing = answers.missing
    for tap in ["original", "depth"] {
      #expect(missing.tiles[tap]?.isShown == true && missing.tiles[tap]?.text == "", "\(tap)")
    }
    let reason =
      "mask.kind=plate first learns the empty scene from 30 depth frames without a face, and none has come yet"
    for tap in ["mask", "matte", "composite"] {
      let tile = try #require(missing.tiles[tap])
      #expect(!tile.isShown && tile.text.hasPrefix("This frame gives no picture: \(reason)."), "\(tap): \(tile.text)")
    }
    #expect(missing.tiles["composite"]?.text.contains("mask.plate-frames lower") == true)
    #expect(missing.why.contains(reason) && missing.isSameOriginal && missing.wrong == 0)
    #expect(missing.histogram.hasSuffix("% holes"))
    #expect(
      answers.beyond == [
        "The recording has only frames 0 to 11.",
        "Only frames 2 to 7 of the recording are played. Clear the range to go beyond.",
      ])

    #expect(
      answers.steps.map(\.marks) == [
        ["2 leaves", "5 hand vanishes"], ["2 leaves", "5 hand's back"], ["5 hand's back"],
        ["2 leaves", "5 hand's back"], ["2 leaves"], ["2 leaves", "5 hand's back"],
      ])
    #expect(answers.steps[0].told.hasPrefix("Set the mark 'hand vanishes' at frame 5."))
    #expect(answers.steps[1].told.hasPrefix("'hand vanishes' is 'hand's back' now."))
    #expect(answers.steps[2].told.hasPrefix("Removed 'leaves'. Undo"))
    #expect(answers.focused == "timeline" && answers.frame == 5 && answers.faint.isEmpty)
    #expect(answers.nothing == "There is no change of a mark to undo.")
    #expect(answers.refused.hasPrefix("A mark's label must be one line of at most 200 bytes.") && answers.stays)
    #expect(answers.reloaded == ["2 leaves", "5 hand's back", "9 elsewhere"])
    let marks = try CommandLineTool.run(["mark", recording, "--list"]).text
    #expect(marks.contains("leaves") && marks.contains("hand's back") && !marks.contains("vanishes"))
    // New are those with the marks that were set, and with the renamed one that was brought back; no other was changed.
    let after = try chunkFiles()
    #expect(after.count == before.count + 3 && before.allSatisfy { after[$0.key] == $0.value })
    #expect(try CommandLineTool.run(["verify", recording]).status == 0)

    #expect(answers.bundle.first?.hasPrefix("Saved a-0-11.retake-bundle, 12 frames, ") == true, "\(answers.bundle)")
    #expect(
      answers.bundle.contains { $0.hasPrefix("Still in the bundle: ") && $0.hasSuffix("the bundle's note.") })
    #expect(answers.bundle.last == "Replay and check it with: retake reproduce a-0-11.retake-bundle")
    #expect(answers.console.isEmpty, "\(answers.console)")
    #expect(answers.end == 0)
  }
}
