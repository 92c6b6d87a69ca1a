import Scores
import Support

/// How the best setting is chosen, such as "flicker<1,boundary-f>=0.8,iou": among those within
/// all limits, the one with the best value of the last term.
package struct SweepChoice: Hashable, Sendable, CustomStringConvertible {
  package enum Direction: String, Hashable, Sendable {
    case highest = "max"
    case lowest = "min"
  }

  package let limits: [SweepLimit]
  package let measure: SweepMeasure
  package let direction: Direction
  package let description: String

  /// The scores that the choice names; a sweep has to compute them.
  package var scores: [ScoreKind] { SweepLimit.scores(limits.map(\.measure) + [measure]) }

  /// The scores that the choice "unsupervised" ranks by.
  package static let unsupervisedScores = SweepMeasure.unsupervised.scores

  static let lengthLimit = 4096

  /// The last term follows the score's own preference, or is explicit as in "min(soft)".
  /// - Throws: `.usage` with the wrong term and, for an unknown name, the nearest known one.
  package init(_ text: String) throws(RetakeError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw RetakeError(.usage, "The choice of the best setting is too long.", hint: Self.hint)
    }
    let terms = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard let last = terms.last, !terms.contains("") else {
      throw RetakeError(
        .usage, "'\(text.shortened)' does not choose the best setting: a term is empty.", hint: Self.hint)
    }
    var limits: [SweepLimit] = []
    for term in terms.dropLast() {
      guard let limit = try SweepLimit(term) else {
        throw RetakeError(
          .usage, "'\(term.shortened)' in '\(text.shortened)' is not a limit: only the last term may be a score.",
          hint: Self.hint)
      }
      limits.append(limit)
    }
    if try SweepLimit(last) != nil {
      throw RetakeError(
        .usage, "'\(text.shortened)' has only limits: several settings may be within them, and none is the best.",
        hint: "end with a score to choose by, as in '\(text.shortened),iou'")
    }
    (measure, direction) = try Self.goal(last)
    self.limits = limits
    description = text
  }

  private static let hint = "write limits and then a score, as in flicker<1,iou"

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
        .usage, "'\(term)' has no better direction of its own.",
        hint: "write min(\(term)) or max(\(term))")
    }
  }
}

package struct SweepChoiceResult: Hashable, Sendable {
  package struct Value: Hashable, Sendable {
    package var measure: SweepMeasure
    /// The mean over the recordings.
    package var value: Double
  }

  package var setting: Int
  /// Values of the limits in order, then of the goal; each measure once.
  package var values: [Value]
  /// Settings within all limits, including this one.
  package var withinCount: Int
  /// Settings that were considered: finished over all recordings, with all values.
  package var eligibleCount: Int
}
