internal import BugBundles
internal import Replay

/// What came of replaying a bundle.
public struct ReproductionResult: Sendable, CustomStringConvertible {
  /// Where an output differs first from what was expected.
  public struct Difference: Hashable, Sendable {
    /// Number of the frame, as in the recording that the bundle was cut out of.
    public let frame: Int
    /// The first stage on the frame's way that differs: source_color, source_depth, depth, mask, matte or composite; nil for a
    /// frame that is missing, or that nobody expected.
    public let stage: String?
    /// The same for people.
    public let sentence: String
  }

  /// Every stage of every frame is as expected.
  public var isReproduced: Bool { firstDifference == nil }
  /// Nil where there is none.
  public let firstDifference: Difference?
  /// Frames that were held against the expectation.
  public let frameCount: Int
  /// Those of them that differ somewhere.
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
    // Of two files of digests only.
    case .header(let field, _, _): (frame, stage) = (0, field)
    }
  }
}
