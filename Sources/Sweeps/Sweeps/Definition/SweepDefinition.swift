import Parameters
import Support

/// What a sweep tries, from the command line or from a sweep file.
package struct SweepDefinition: Hashable, Sendable {
  package var terms: [SweepTerm] = []
  package var constraints: [SweepConstraint] = []
  /// Nil where unspecified, which means a grid.
  package var choice: SweepSpace.Choice?
  package var seed: UInt64?

  package init() {}

  /// Scans, then lists, then ranges, in whatever order they came. Settings are numbered by it.
  private var orderedTerms: [SweepTerm] {
    SweepTerm.Kind.allCases.flatMap { kind in terms.filter { $0.kind == kind } }
  }

  /// Names of the swept parameters. In a grid, the last one changes fastest.
  package var tried: [String] { orderedTerms.map(\.name) }

  /// The swept parameters, in the order of `tried`.
  var searched: [SweepDimension] { orderedTerms.map(\.dimension) }

  /// Overlays `other`: its terms replace terms of the same parameter; constraints of both apply.
  package func overlaid(by other: SweepDefinition) -> SweepDefinition {
    var result = self
    for (place, term) in terms.enumerated() {
      if let replacement = other.terms.first(where: { $0.name == term.name }) { result.terms[place] = replacement }
    }
    var taken = Set(terms.map(\.name))
    for term in other.terms {
      // A parameter that `other` names twice stays twice, so that `space` rejects it.
      if taken.remove(term.name) == nil { result.terms.append(term) }
    }
    for constraint in other.constraints where !constraints.contains(constraint) {
      result.constraints.append(constraint)
    }
    result.choice = other.choice ?? choice
    result.seed = other.seed ?? seed
    return result
  }

  /// - Throws: `.usage` as `SweepSpace`, or if settings are to be drawn but nothing is swept.
  package func space(_ base: ParameterSet) throws(RetakeError) -> SweepSpace {
    guard !terms.isEmpty || choice == nil || choice == .grid else {
      throw RetakeError(
        .usage, "There are no values to draw settings from.",
        hint: "give a parameter's values, as with --range mask.offset=0.1..0.5")
    }
    return try SweepSpace(
      base: base, orderedTerms.map(\.dimension), constraints: constraints, choice: choice ?? .grid, seed: seed ?? 0)
  }

  package var words: [String] {
    var words = orderedTerms.flatMap(\.words)
    for constraint in constraints { words += ["--where", constraint.description] }
    switch choice {
    case nil, .grid: return words
    case .random(let count): words += ["--random", "\(count)"]
    case .latinHypercube(let count): words += ["--latin", "\(count)"]
    }
    return words + ["--seed", "\(seed ?? 0)"]
  }
}
