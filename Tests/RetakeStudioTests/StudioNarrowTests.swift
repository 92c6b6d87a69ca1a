import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What a narrow page has room for: see browse_narrow.py.
@Suite(.long) struct StudioNarrowTests {
  private struct Marks: Decodable, Equatable {
    var count: Int
    var cut: Int
    var met: Int
  }

  /// Of the values under the pointer.
  private struct Difference: Decodable, Equatable {
    var meet: Bool
    var cut: Bool
    var smallCut: Int
    var small: Int
  }

  /// With many scores open in a small window.
  private struct Scores: Decodable {
    /// Of the list of parameters, pixels.
    var height: Double
    /// Of the help, pixels below the window.
    var below: Double
    var notice: String
  }

  private struct Answers: Decodable {
    var scores: Scores
    var name: String
    /// Pixels that are left beside the hint of what can be found.
    var hint: [String: Double]
    var marks: [String: Marks]
    var difference: [String: Difference]
    var faint: [String]
    var end: [Int]
  }

  private let folder: TemporaryFolder
  private let shots: TemporaryFolder

  init() throws { (folder, shots) = (try TemporaryFolder(), try TemporaryFolder()) }

  @Test
  func `marks, values and hints are whole at 800 and 1600 pixels, and a folder has its own name`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("takes"), withIntermediateDirectories: true)
    let recording = try CommandLineTool.recordSimulated(folder, "takes/a.retake", "frames=120&size=320x240")
    for (frame, label) in [("40", "the hand"), ("44", "vanishes"), ("116", "the end of it")] {
      try CommandLineTool.run(["mark", recording, "--at", frame, "--label", label])
    }
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_narrow.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, folder.path("takes"), shots.path])
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(Answers.self, from: result.output)
    #expect(answers.name == "takes")
    for width in ["800", "1600"] {
      #expect(answers.marks[width] == Marks(count: 3, cut: 0, met: 0), "\(width)")
      #expect(answers.difference[width] == Difference(meet: false, cut: false, smallCut: 0, small: 4), "\(width)")
      #expect(try #require(answers.hint[width]) > 0, "\(width)")
    }
    #expect(answers.scores.height >= 139 && answers.scores.below == 0, "\(answers.scores)")
    #expect(answers.scores.notice.contains(" --from 20 --to 30 --parameters "), "\(answers.scores.notice)")
    #expect(answers.faint.isEmpty && answers.end == [0, 0])
  }
}
