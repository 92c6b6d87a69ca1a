import ArgumentParser
import Support
import Sweeps

/// The options of a search by budget.
struct SearchFlags: ParsableArguments {
  @Option(
    defaultAsFlag: SearchMachine.Mode.whole,
    help: ArgumentHelp(
      "Search for the best setting by --best instead of trying all: on short runs of frames first, and the most promising on all "
        + "frames. explore only spreads settings over the space; refine only improves on the current values, as those of "
        + "--parameters found.yaml; whole, which --search alone means, does both.", valueName: "whole|explore|refine"))
  var search: SearchMachine.Mode?
  @Option(
    help: ArgumentHelp(
      "How much a search plays: a share of all settings over all frames, where ranges count as at most \(SearchSpace.rangeCount) settings, "
        + "or a number of frames. By default 3%, or ten settings if that is more.", valueName: "share|frames"))
  var budget: String?
  @Option(
    help: ArgumentHelp(
      "How the scores on several recordings count in a search: their mean, or the worst.", valueName: "mean|worst"))
  var over: SearchGoal.Recordings?
  @Option(
    help: ArgumentHelp(
      "Scores to search the Pareto front of, together with that of --best, as in flicker,boundary-f.",
      valueName: "score,score,…"))
  var front: [String] = []

  var isWanted: Bool { search != nil }

  func validate() throws {
    for (option, isGiven) in [("--budget", budget != nil), ("--over", over != nil), ("--front", !front.isEmpty)]
    where isGiven && !isWanted {
      throw ValidationError("\(option) needs --search.")
    }
  }

  /// - Throws: `.usage` for scores that cannot be searched by.
  func goal(_ choice: SweepChoice) throws(RetakeError) -> SearchGoal {
    try SearchGoal(choice, front: try SweepScores.named(front) ?? [], recordings: over ?? .mean)
  }
}

extension SearchMachine.Mode: ExpressibleByArgument {}
extension SearchGoal.Recordings: ExpressibleByArgument {}
