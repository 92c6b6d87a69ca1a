import RecordingStore
import Scores
import Support
import Sweeps

/// A fully defined search.
struct SearchWork {
  let choice: SweepChoice
  let plan: SearchPlan
  let run: SearchRun
  /// For people.
  let words: String
  /// Of the base setting.
  let identity: SweepIdentity
  /// Its settings are the base's.
  let job: SweepJob
  private let base: SweepPlan

  /// - Parameters:
  ///   - best: limits and the score to search by, as text.
  ///   - plan: made for a search.
  init(
    best: String, goal: SearchGoal, budget: String?, mode: SearchMachine.Mode, plan: SweepPlan, isQuiet: Bool
  ) throws {
    (choice, base) = (try SweepChoice(best), plan)
    job = try plan.job { path throws(RetakeError) in try Recording.opened(path, isQuiet: isQuiet) }
    identity = try job.identity()
    for score in goal.scores { try identity.check(SweepChoice("max(\(score.name))")) }
    let search = SearchPlan(
      space: try SearchSpace(plan.definition, plan.base), goal: goal,
      budget: try budget.map { text throws(RetakeError) in try SearchBudget(text) }, mode: mode,
      seed: plan.definition.seed ?? 0)
    words = plan.words + " " + ShellWord.joined(search.words + ["--best", best])
    run = try SearchRun(search, job.sources, identity: identity, words: words)
    self.plan = search
  }

  /// A sweep of the settings that are to be scored on all frames.
  /// - Throws: `.notFound` if there are none.
  func finalists(_ found: SearchMachine.Outcome) throws(RetakeError) -> SweepJob {
    guard !found.finalists.isEmpty else {
      throw RetakeError(
        .notFound, "No setting of the search could be scored.",
        hint: "'retake sweep' without --search on a few settings shows why")
    }
    var job = job
    job.settings = try found.finalists.map { number throws(RetakeError) in
      try plan.space.setting(found.points[number])
    }
    (job.words, job.defaultSetting) = (words, job.settings.firstIndex(of: base.base))
    return job
  }

  /// What was found, by the results of the finalists.
  func text(_ found: SearchMachine.Outcome, _ file: SweepResultsFile) throws(RetakeError) -> SearchText {
    try SearchText(
      choice: choice, search: plan, run: run, found: found, summaries: try file.summaries(), identity: file.identity,
      frames: { key throws(RetakeError) in try file.frames(key) })
  }
}
