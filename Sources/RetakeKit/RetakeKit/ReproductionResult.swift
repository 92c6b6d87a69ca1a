internal import BugBundles
internal import Replay

/// The result of replaying a bundle.
public struct ReproductionResult: Sendable, CustomStringConvertible {
  /// The first difference from the expected output.
  public struct Difference: Hashable, Sendable {
    /// Number of the frame in the original recording.
    public let frame: Int
    /// The first stage that differs: source_color, source_depth, depth, mask, matte or composite.
    /// Nil for a missing or unexpected frame.
    public let stage: String?
    /// The difference for people.
    public let sentence: String
  }

  /// Whether every stage of every frame is as expected.
  public var isReproduced: Bool { firstDifference == nil }
  public let firstDifference: Difference?
  /// Frames that were compared with the expectation.
  public let frameCount: Int
  /// Compared frames that differ in any stage.
  public let differingFrameCount: Int

  public var description: String { firstDifference?.sentence ?? expectedSentence }

  private var expectedSentence: String {
    frameCount == 1 ? "1 frame is as expected." : "\(frameCount) frames are as expected."
  }

  init(_ result: Reproduction.Result) {
    firstDifference = result.firstDifference.map { Difference($0, note: result.versionNote) }
    frameCount = result.frameCount
    differingFrameCount = result.differingCount
  }
}

extension ReproductionResult.Difference {
  init(_ difference: DigestDifference, note: String?) {
    sentence = note.map { "\(difference.sentence) \($0)" } ?? difference.sentence
    switch difference {
    case .frame(let number, let stage, _, _): (frame, self.stage) = (number, stage.rawValue)
    case .missingFrame(let number), .extraFrame(let number): (frame, stage) = (number, nil)
    // Occurs only when two digest files are compared.
    case .header(let field, _, _): (frame, stage) = (0, field)
    }
  }
}
