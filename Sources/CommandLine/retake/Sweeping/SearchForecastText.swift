import Sweeps

/// What a search will cost, before it runs.
struct SearchForecastText {
  let run: SearchRun
  /// Of a sweep of one setting over the same recordings.
  let timing: SweepForecast

  var text: String {
    let (problem, rules) = (run.problem, run.rules)
    let space = run.plan.space
    let outcome = SearchMachine.rehearsal(problem)
    let isRange = space.axes.contains(where: \.isRange)
    let whole = space.settingCount * problem.wholeCost
    let share = Format.decimals(Double(problem.budget) * 100 / Double(max(1, whole)), 1)
    let searched =
      outcome.isWholeGrid
      ? "all \(outcome.points.count)\(isRange ? " of the ranges' levels" : ""): the budget pays for them"
      : "about \(outcome.points.count) settings"
    var rows = [
      ["settings", "\(space.settingCount)\(isRange ? ", as which ranges count" : "")"],
      ["recordings", "\(timing.recordingCount), \(problem.wholeCost) frames"],
      ["budget", "\(problem.budget) frames, \(share) % of \(whole)"],
      ["searched", searched],
      ["on all frames", "\(outcome.finalists.count) settings"],
    ]
    if !outcome.isWholeGrid {
      let warmUp = rules.warmUp == .max ? "all before it" : "\(rules.warmUp) before it"
      rows.append(["unit", "\(Format.counted(rules.length, "frame")), warmed up by \(warmUp)"])
      rows += rules.reasons.map { ["", $0] }
    }
    if let seconds = timing.seconds {
      let frames = outcome.isWholeGrid ? outcome.cost : problem.budget
      rows.append(["time", "about \(Format.duration(seconds * Double(frames) / Double(problem.wholeCost)))"])
    }
    return Format.table(rows)
  }
}
