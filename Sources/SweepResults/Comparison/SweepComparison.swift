import FrameModel
import MatteScoring

/// What is other in one results file than in another, of another version of Retake perhaps.
package struct SweepComparison: Hashable, Sendable {
  /// A score's changes over the runs that both files have, from the first to the second.
  package struct ScoreChange: Hashable, Sendable {
    package var measure: ScoreKind
    /// To the bit. Runs where neither has a value count here.
    package var equalCount = 0
    package var betterCount = 0
    package var worseCount = 0
    /// Of a score of which neither much nor little is better.
    package var otherCount = 0
    /// Only one of the files has a value.
    package var oneSidedCount = 0
    package var largest: Change?
  }

  package struct Change: Hashable, Sendable {
    /// In the first file.
    package var key: RunKey
    package var before: Double
    package var after: Double
  }

  /// A run in both, by its key in the first file and in the second.
  package struct Pair: Hashable, Sendable {
    package var first: RunKey
    package var second: RunKey
  }

  /// Versions of Retake.
  package var versions: [String]
  /// In the order of the first file's scores; of those that both have.
  package var scores: [ScoreChange]
  /// Finished in both.
  package var runCount: Int
  /// Runs of which one failed where the other did not, or failed otherwise.
  package var otherOutcomes: [Pair]
  /// Runs whose frames are others: their numbers, mattes that are missing, or scores.
  package var otherFrames: [Pair]
  /// Things that only one of the files has, one sentence each.
  package var onlyFirst: [String]
  package var onlySecond: [String]
  /// What both have and is not the same beside the scores, such as another truth, one sentence each.
  package var otherwise: [String]

  /// Whether all results are the same to the bit. Versions, costs, words and paths do not count.
  package var isSame: Bool {
    otherOutcomes.isEmpty && otherFrames.isEmpty && onlyFirst.isEmpty && onlySecond.isEmpty && otherwise.isEmpty
      && scores.allSatisfy { $0.betterCount + $0.worseCount + $0.otherCount + $0.oneSidedCount == 0 }
  }
}
