import Scores
import Support
import Sweeps

/// A sweep as a page asks for it.
package struct SweepWish: Sendable {
  package struct Search: Sendable {
    /// As `--best` takes it.
    package var best: String
    package var choice: SweepChoice
    /// Nil for the usual one.
    package var budget: SearchBudget?

    package init(best: String, budget: String?) throws(RetakeError) {
      self.best = best
      choice = try SweepChoice(best)
      self.budget = try budget.map { text throws(RetakeError) in try SearchBudget(text) }
    }
  }

  /// What is not varied.
  package var setting: ViewSetting
  package var span: ViewSpan
  package var definition: SweepDefinition
  package var scores: [ScoreKind]
  /// Nil to try every combination.
  package var search: Search?

  /// More settings are for the command line: a page keeps them all.
  package static let settingLimit = 20_000

  package init(
    setting: ViewSetting, span: ViewSpan, definition: SweepDefinition, scores: [ScoreKind], search: Search?
  ) {
    (self.setting, self.span, self.definition) = (setting, span, definition)
    (self.scores, self.search) = (scores, search)
  }

  /// - Throws: `.usage` without varied parameters, or for a grid that is too large.
  func check() throws(RetakeError) {
    guard !definition.terms.isEmpty else {
      throw RetakeError(.usage, "No parameter is varied.", hint: "add one, with the values to try")
    }
    guard search == nil else { return }
    var count = 1
    for term in definition.terms {
      guard case .list(let values) = term.dimension.values else {
        throw RetakeError(
          .usage, "\(term.name) has a range without a step.", hint: "give a step, or search with a budget")
      }
      // Both factors are small: a list has at most 10,000 values.
      count *= values.count
      guard count <= Self.settingLimit else {
        throw RetakeError(
          .usage, "That would be more than \(Self.settingLimit) settings.",
          hint: "use larger steps, search with a budget, or sweep with 'retake sweep'")
      }
    }
  }
}
