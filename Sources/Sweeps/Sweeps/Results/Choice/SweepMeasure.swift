import Scores
import Support

/// What settings are chosen by: a score, or what they cost.
package enum SweepMeasure: Hashable, Sendable {
  case score(ScoreKind)
  /// CPU time of all stages, in milliseconds per frame.
  case cost
  /// The combined rank among the sweep's settings, by scores without truth: see `UnsupervisedRanking`.
  case unsupervised

  private static let costName = "cost"
  private static let unsupervisedName = "unsupervised"

  /// - Throws: `.usage` that names the nearest known name.
  package init(_ name: String) throws(RetakeError) {
    if name == Self.costName {
      self = .cost
    } else if name == Self.unsupervisedName {
      self = .unsupervised
    } else if let kind = ScoreKind(name: name) {
      self = .score(kind)
    } else {
      let names = ScoreKind.allCases.map(\.name) + [Self.costName, Self.unsupervisedName]
      throw RetakeError(
        .usage, "There is no score '\(name.shortened)'.",
        hint: "\(Spelling.guess(name, in: names))There are: "
          + names.joined(separator: ", "))
    }
  }

  package var name: String {
    switch self {
    case .score(let kind): kind.name
    case .cost: Self.costName
    case .unsupervised: Self.unsupervisedName
    }
  }

  package var preference: ScoreKind.Preference {
    switch self {
    case .score(let kind): kind.preference
    case .cost: .lower
    case .unsupervised: .higher
    }
  }

  package var unit: String {
    switch self {
    case .score(let kind): kind.unit
    case .cost: "ms"
    case .unsupervised: ""
    }
  }

  /// The scores that a sweep has to compute for it.
  var scores: [ScoreKind] {
    switch self {
    case .score(let kind): [kind]
    case .cost: []
    case .unsupervised: UnsupervisedRanking.scores + UnsupervisedRanking.fallback
    }
  }

  /// Nil for `unsupervised` too, which a single run cannot have.
  package func value(_ summary: RunSummary) -> Double? {
    switch self {
    case .score(let kind):
      guard case .scored(let row) = summary.outcome else { return nil }
      return row[kind]
    case .cost: return summary.cost?.milliseconds
    case .unsupervised: return nil
    }
  }
}

extension StageCost {
  /// Of all stages, per frame.
  package var milliseconds: Double { total / 1_000_000 }
}
