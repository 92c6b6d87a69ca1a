import Scores

/// The differences between two results files, for example from two versions of Retake.
package struct SweepComparison: Hashable, Sendable {
  /// A score's changes from the first file to the second, over the runs that both have.
  package struct ScoreChange: Hashable, Sendable {
    package var kind: ScoreKind
    /// Equal to the bit. Includes runs where neither file has a value.
    package var equalCount = 0
    package var betterCount = 0
    package var worseCount = 0
    /// Changed, where neither high nor low values of the score are better.
    package var otherCount = 0
    package var oneSidedCount = 0
    package var largest: Change?

    package var isSame: Bool { betterCount + worseCount + otherCount + oneSidedCount == 0 }
  }

  package struct Change: Hashable, Sendable {
    package var key: RunKey
    package var before: Double
    package var after: Double
  }

  /// A run that differs; its key is the one in the first file.
  package struct RunChange: Hashable, Sendable {
    package var key: RunKey
    /// One line that names setting and recording.
    package var description: String
  }

  /// The versions of Retake that wrote the files.
  package var versions: [String]
  /// The pipeline revisions of the files; "unknown" for programs that had none.
  package var revisions: [String] = []
  /// Scores that both files have, in the first file's order.
  package var scores: [ScoreChange]
  package var runCount = 0
  /// Runs that failed in only one file, or with different errors.
  package var otherOutcomes: [RunChange] = []
  /// Runs with different frame numbers, missing mattes or frame scores.
  package var otherFrames: [RunChange] = []
  package var onlyFirst: [String] = []
  package var onlySecond: [String] = []
  /// Other differences, such as in the truth, one line each.
  package var otherwise: [String] = []
  /// Differences without effect on results, such as parameters that only one file has.
  package var notes: [String] = []

  /// Whether there are results and all are equal to the bit.
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
    if largest.map({ abs(after - before) > abs($0.after - $0.before) }) ?? true {
      largest = SweepComparison.Change(key: key, before: before, after: after)
    }
  }
}
