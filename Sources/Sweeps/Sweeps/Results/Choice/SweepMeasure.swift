import FrameModel
import Parameters
import Scores
import Support

/// What settings are chosen by: a score, or what they cost.
package enum SweepMeasure: Hashable, Sendable {
  case score(ScoreKind)
  /// CPU time of all stages, in milliseconds per frame.
  case cost

  private static let costName = "cost"

  /// - Throws: `.usage` that names the nearest known name.
  package init(_ name: String) throws(RetakeError) {
    if name == Self.costName {
      self = .cost
    } else if let kind = ScoreKind(name: name) {
      self = .score(kind)
    } else {
      let names = ScoreKind.allCases.map(\.name) + [Self.costName]
      throw RetakeError(
        .usage, "There is no score '\(name)'.",
        hint: "did you mean \(Spelling.nearest(to: name, in: names) ?? names[0])? There are: "
          + names.joined(separator: ", "))
    }
  }

  package var name: String {
    switch self {
    case .score(let kind): kind.name
    case .cost: Self.costName
    }
  }

  package var preference: ScoreKind.Preference {
    switch self {
    case .score(let kind): kind.preference
    case .cost: .lower
    }
  }

  package var unit: String {
    switch self {
    case .score(let kind): kind.unit
    case .cost: "ms"
    }
  }

  package func value(_ summary: RunSummary) -> Double? {
    switch self {
    case .score(let kind):
      guard case .scored(let row) = summary.outcome else { return nil }
      return row[kind]
    case .cost: return summary.cost?.milliseconds
    }
  }
}

extension StageCost {
  /// Of all stages, per frame.
  package var milliseconds: Double { total / 1_000_000 }
}
