import Scores
import Support
import Sweeps

/// What a search found, as text.
struct SearchText {
  let winner: SweepWinner
  private let verdict: SearchVerdict
  private let search: SearchPlan
  private let problem: SearchMachine.Problem
  private let found: SearchMachine.Outcome
  private let identity: SweepIdentity

  /// - Throws: `.notFound` if no setting is within the limits.
  init(
    choice: SweepChoice, search: SearchPlan, run: SearchRun, found: SearchMachine.Outcome, summaries: [RunSummary],
    identity: SweepIdentity, frames: (RunKey) throws(RetakeError) -> [ScoredFrame]
  ) throws(RetakeError) {
    (self.search, problem, self.found, self.identity) = (search, run.problem, found, identity)
    verdict = try SearchVerdict(
      search.goal, summaries, identity, space: search.space, points: found.finalists.map { found.points[$0] },
      frames: frames)
    winner = SweepWinner(
      choice, verdict.result(choice, settingCount: identity.settings.count), of: summaries, identity)
  }

  /// How much was searched.
  var sentence: String {
    let settings = Format.counted(found.frameCounts.count { $0 > 0 }, "setting")
    let isRange = search.space.axes.contains(where: \.isRange)
    let searched =
      found.isWholeGrid
      ? "all \(identity.settings.count) settings\(isRange ? " of the ranges' levels" : "") scored on all frames"
      : "\(settings) searched, \(identity.settings.count) of them scored on all frames"
    return "\(searched): \(found.cost) of \(problem.budget) frames"
  }

  var text: String {
    let choice = winner.choice
    let within = choice.limits.isEmpty ? "" : ", \(verdict.withinCount) within the limits"
    let settings = Format.counted(identity.settings.count, "setting")
    var lines = [
      "best by \(choice): setting \(verdict.setting) (of \(settings) scored on all frames)\(within)",
      winner.table, winner.comparison,
    ]
    if identity.settings.count == 1 && !found.isWholeGrid {
      lines.append(
        "no other was scored on all frames, so none was compared with it: give a larger --budget, or no --search")
    }
    let name = search.goal.targets[0].score.name
    if verdict.standardError > 0 {
      let isOfWorst = search.goal.recordings == .worst && identity.recordings.count > 1
      lines.append(
        "uncertainty: \(name)\(isOfWorst ? " of the worst recording" : "") \(number(verdict.value))"
          + " ± \(number(verdict.standardError)) (standard error)")
    }
    for tie in verdict.ties {
      lines.append("no better beyond noise: setting \(tie), which is farther from the current values")
    }
    lines += effects
    if search.goal.targets.count > 1 {
      let names = search.goal.targets.map(\.score.name).joined(separator: ", ")
      lines.append(
        "front by \(names): setting\(verdict.front.count == 1 ? "" : "s") \(verdict.front.map(String.init).joined(separator: ", "))"
      )
    }
    if !verdict.heldOut.isEmpty {
      lines.append("chosen without each recording, and scored on it:")
      lines.append(
        Format.table(
          [["RECORDING", "SETTING", name, "BEST OF ALL"]]
            + verdict.heldOut.map {
              [
                identity.recordings[$0.recording].path, "\($0.setting)", number($0.value), number($0.bestValue),
              ]
            }, indent: "  "))
    }
    return lines.joined(separator: "\n")
  }

  private func number(_ value: Double) -> String { SweepNumber.text(value) }

  /// Parameters that changed no score, in all of the search or round the best setting.
  private var effects: [String] {
    let isWholeGrid = found.isWholeGrid
    let all = isWholeGrid ? verdict.effects : found.effects
    let besideBest = isWholeGrid ? verdict.effectsBesideBest : found.finalistEffects[verdict.setting]
    var (everywhere, here) = ([String](), [String]())
    for (place, axis) in search.space.axes.enumerated() where axis.levels.count > 1 {
      if all[place].isNone {
        everywhere.append(axis.name)
      } else if besideBest[place].isNone {
        here.append(axis.name)
      }
    }
    return (everywhere.isEmpty ? [] : ["no effect: \(everywhere.joined(separator: ", "))"])
      + (here.isEmpty ? [] : ["no effect beside the best setting: \(here.joined(separator: ", "))"])
  }
}
