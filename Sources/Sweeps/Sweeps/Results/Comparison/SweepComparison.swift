import FrameModel
import Scores

/// What is other in one results file than in another, of another version of Retake perhaps.
package struct SweepComparison: Hashable, Sendable {
  /// A score's changes from the first file to the second, over the runs that both have.
  package struct ScoreChange: Hashable, Sendable {
    package var kind: ScoreKind
    /// To the bit. Runs where neither has a value count here.
    package var equalCount = 0
    package var betterCount = 0
    package var worseCount = 0
    /// Of a score of which neither much nor little is better.
    package var otherCount = 0
    /// Only one of the files has a value.
    package var oneSidedCount = 0
    package var largest: Change?

    package var isSame: Bool { betterCount + worseCount + otherCount + oneSidedCount == 0 }
  }

  package struct Change: Hashable, Sendable {
    /// In the first file.
    package var key: RunKey
    package var before: Double
    package var after: Double
  }

  /// By its key in the first file.
  package struct RunChange: Hashable, Sendable {
    package var key: RunKey
    /// One line that names setting and recording.
    package var description: String
  }

  /// Of Retake, of the first file and of the second.
  package var versions: [String]
  /// In the order of the first file's scores; of those that both have.
  package var scores: [ScoreChange]
  /// Finished in both.
  package var runCount = 0
  /// Runs of which one failed where the other did not, or failed otherwise.
  package var otherOutcomes: [RunChange] = []
  /// Runs whose frames are others: their numbers, mattes that are missing, or scores.
  package var otherFrames: [RunChange] = []
  /// What only one of the files has, one line each.
  package var onlyFirst: [String] = []
  package var onlySecond: [String] = []
  /// What both have and is not the same beside the scores, such as the truth, one line each.
  package var otherwise: [String] = []
  /// What is worth knowing and changes no result: parameters that only one version has, one line each.
  package var notes: [String] = []

  /// Whether there are results and all are the same to the bit. Versions, costs, words and paths do not count.
  package var isSame: Bool {
    runCount > 0 && otherOutcomes.isEmpty && otherFrames.isEmpty && onlyFirst.isEmpty && onlySecond.isEmpty
      && otherwise.isEmpty
      && scores.allSatisfy(\.isSame)
  }
}

extension SweepComparison.ScoreChange {
  mutating func take(_ before: Double?, _ after: Double?, _ key: RunKey) {
    guard let before, let after else {
      if before == nil && after == nil { equalCount += 1 } else { oneSidedCount += 1 }
      return
    }
    if before.bitPattern == after.bitPattern {
      equalCount += 1
      return
    }
    switch kind.preference {
    case .none: otherCount += 1
    case .higher where after > before, .lower where after < before: betterCount += 1
    case .higher, .lower: worseCount += 1
    }
    // Of equal changes the first is kept.
    if largest.map({ abs(after - before) > abs($0.after - $0.before) }) ?? true {
      largest = SweepComparison.Change(key: key, before: before, after: after)
    }
  }
}
