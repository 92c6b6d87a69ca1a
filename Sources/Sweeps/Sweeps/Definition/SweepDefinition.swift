import FrameModel
import Parameters
import Support

/// What a sweep tries, as it is said in words or in a file: a space once it is known what the rest of the parameters are.
package struct SweepDefinition: Hashable, Sendable {
  package var terms: [SweepTerm] = []
  package var constraints: [SweepConstraint] = []
  /// Nil where nothing is said: a grid.
  package var choice: SweepSpace.Choice?
  package var seed: UInt64?

  package init() {}

  /// Scans first, then lists, then ranges, each as they were said: words on the command line have no other order, and settings
  /// are numbered by it.
  private var orderedTerms: [SweepTerm] {
    SweepTerm.Kind.allCases.flatMap { kind in terms.filter { $0.kind == kind } }
  }

  /// The parameters that are tried, in the order that the settings follow: of a grid the last changes first.
  package var tried: [String] { orderedTerms.map(\.name) }

  /// This one with another on top: of a parameter that both try, what the other says counts, in this one's place. All
  /// constraints hold.
  package func overlaid(by other: SweepDefinition) -> SweepDefinition {
    var result = self
    for (place, term) in terms.enumerated() {
      if let replacement = other.terms.first(where: { $0.name == term.name }) { result.terms[place] = replacement }
    }
    var taken = Set(terms.map(\.name))
    for term in other.terms {
      // One that the other says twice stays a mistake.
      if taken.remove(term.name) == nil { result.terms.append(term) }
    }
    for constraint in other.constraints where !constraints.contains(constraint) {
      result.constraints.append(constraint)
    }
    result.choice = other.choice ?? choice
    result.seed = other.seed ?? seed
    return result
  }

  /// - Throws: `.usage` as `SweepSpace` does, and for settings to draw without anything to draw.
  package func space(_ base: ParameterSet) throws(RetakeError) -> SweepSpace {
    guard !terms.isEmpty || choice == nil || choice == .grid else {
      throw RetakeError(
        .usage, "There is nothing to draw settings from.",
        hint: "say what to try of a parameter, as with --range mask.offset=0.1..0.5")
    }
    return try SweepSpace(
      base: base, orderedTerms.map(\.dimension), constraints: constraints, choice: choice ?? .grid, seed: seed ?? 0)
  }

  /// The words of the command line that say the same.
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
