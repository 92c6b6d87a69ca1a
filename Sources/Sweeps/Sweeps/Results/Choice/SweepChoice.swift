import FrameModel
import Scores
import Support

/// "flicker<0.02,boundary-f>=0.8,iou": of the settings within the limits, the one that is best at what comes last.
package struct SweepChoice: Hashable, Sendable, CustomStringConvertible {
  package enum Direction: String, Hashable, Sendable {
    case highest = "max"
    case lowest = "min"
  }

  package let limits: [SweepLimit]
  /// What the best is best at.
  package let measure: SweepMeasure
  package let direction: Direction
  /// As it was written.
  package let description: String

  /// Those that it names, each once: a sweep has to compute them.
  package var scores: [ScoreKind] { SweepLimit.scores(limits.map(\.measure) + [measure]) }

  static let lengthLimit = 4096

  /// Scores, and "cost" for milliseconds a frame. The last goes by the score's own preference, or as in "min(soft)".
  /// - Throws: `.usage` naming what is off, and the nearest for a name that is not known.
  package init(_ text: String) throws(RetakeError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw RetakeError(.usage, "The words of what is best are too long.", hint: Self.hint)
    }
    let terms = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard let last = terms.last, !terms.contains("") else {
      throw RetakeError(.usage, "'\(text)' does not say what is best: a term is empty.", hint: Self.hint)
    }
    var limits: [SweepLimit] = []
    for term in terms.dropLast() {
      guard let limit = try SweepLimit(term) else {
        throw RetakeError(
          .usage, "'\(term)' in '\(text)' is no limit: only the last term is what is best.", hint: Self.hint)
      }
      limits.append(limit)
    }
    if try SweepLimit(last) != nil {
      throw RetakeError(
        .usage, "'\(text)' holds nothing but limits: several settings may be within them, and none is the best.",
        hint: "end with what is to be best, as in '\(text),iou'")
    }
    (measure, direction) = try Self.goal(last)
    self.limits = limits
    description = text
  }

  private static let hint = "write limits and then a score, as in flicker<0.02,iou"

  private static func goal(_ term: String) throws(RetakeError) -> (SweepMeasure, Direction) {
    for direction in [Direction.highest, .lowest] where term.hasPrefix(direction.rawValue + "(") && term.hasSuffix(")")
    {
      let name = term.dropFirst(direction.rawValue.count + 1).dropLast()
      return (try SweepMeasure(String(name).trimmed), direction)
    }
    let measure = try SweepMeasure(term)
    switch measure.preference {
    case .higher: return (measure, .highest)
    case .lower: return (measure, .lowest)
    case .none:
      throw RetakeError(
        .usage, "Neither much nor little of '\(term)' is better by itself.",
        hint: "write min(\(term)) or max(\(term))")
    }
  }
}

/// The setting that a choice came upon.
package struct SweepChoiceResult: Hashable, Sendable {
  package struct Value: Hashable, Sendable {
    package var measure: SweepMeasure
    /// The mean over the recordings.
    package var value: Double
  }

  package var setting: Int
  /// Of the limits in their order, and of what it is best at: each once.
  package var values: [Value]
  /// How many settings are within all limits, this one too.
  package var withinCount: Int
  /// How many could be looked at: finished over all recordings, and with all values.
  package var eligibleCount: Int
}
