import MattePipeline
import Parameters
import Replay
import Scores
import Support

/// A search as it was asked for: what is searched, for what, with which budget.
package struct SearchPlan: Sendable {
  package var space: SearchSpace
  package var goal: SearchGoal
  package var budget: SearchBudget
  /// False for the default budget.
  package var isBudgetGiven: Bool
  package var mode: SearchMachine.Mode
  package var seed: UInt64
  /// Settings to begin with.
  package var starts: [ParameterSet]

  package init(
    space: SearchSpace, goal: SearchGoal, budget: SearchBudget?, mode: SearchMachine.Mode, seed: UInt64,
    starts: [ParameterSet] = []
  ) {
    (self.space, self.goal, self.mode, self.seed, self.starts) = (space, goal, mode, seed, starts)
    (self.budget, isBudgetGiven) = (budget ?? .standard, budget != nil)
  }

  /// Arguments that repeat it.
  package var words: [String] {
    var words = ["--search"] + (mode == .whole ? [] : [mode.rawValue]) + ["--budget", budget.description]
    if goal.recordings != .mean { words += ["--over", goal.recordings.rawValue] }
    return words
  }

  /// - Throws: `.usage` for a budget that is too small; errors of reading the recordings.
  package func problem(_ sources: [SweepSource]) throws(RetakeError) -> (SearchMachine.Problem, SearchUnitRules) {
    let learned = space.values(PipelineParameters.mask.plateFrames.declaration.name).compactMap { Int($0.description) }
    var beginsEmpty = false
    for source in sources where !beginsEmpty {
      beginsEmpty = try source.beginsEmpty(frameCount: learned.min() ?? 1)
    }
    let rules = SearchUnitRules(space, scores: goal.scores, beginsEmpty: beginsEmpty)
    let counts = try sources.map { source throws(RetakeError) in try source.playedOrder().countOfOnePass }
    let numbers = try sources.map { source throws(RetakeError) in try source.playedNumbers() }
    let needsTruth = goal.scores.contains { $0.need == .truth }
    let units = rules.units(frameCounts: counts, seed: seed) { recording, frames in
      // A folder may have the truth of a few frames only.
      guard needsTruth, let truth = sources[recording].truth, !truth.isComplete else { return true }
      return frames.contains { truth.contains(numbers[recording][$0]) }
    }
    let whole = counts.reduce(0, +)
    let budget = try budget.frames(settingCount: space.settingCount, wholeCost: whole, isGiven: isBudgetGiven)
    let problem = SearchMachine.Problem(
      lattice: space.lattice, units: units, wholeCost: whole, goal: goal, budget: budget, seed: seed, mode: mode,
      starts: starts.map(space.point), lead: rules.leads(of: space))
    return (problem, rules)
  }
}
