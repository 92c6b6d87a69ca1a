import ArgumentParser

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Runs recordings with many settings, scores each, and shows the best.",
    usage: """
      retake sweep <recording> ... [<options>]
      retake sweep <subcommand>
      """,
    discussion: """
      retake sweep session.retake --scan matte.still=0..0.8:0.2
      retake sweep report session-sweep.sqlite -o report.html

      'retake sweep --help' is the page of 'retake sweep run', which may be left out. Write ./report for a recording that has \
      the name of a subcommand.
      """,
    subcommands: [
      SweepRunCommand.self, SweepReportCommand.self, SweepBestCommand.self, SweepTableCommand.self,
      SweepCompareCommand.self, SweepMergeCommand.self, SweepSubmitCommand.self, SweepStatusCommand.self,
      SweepPartCommand.self, SweepStepCommand.self,
    ], defaultSubcommand: SweepRunCommand.self)

  /// The page of `sweep` is that of `sweep run`, so that all options are on one page.
  static func withOnePage(_ arguments: [String]) -> [String] {
    switch arguments {
    case ["sweep", "--help"], ["sweep", "-h"], ["sweep", "help"], ["help", "sweep"]: ["sweep", "run", "--help"]
    case _ where arguments.count == 3 && arguments.starts(with: ["sweep", "help"]): ["help", "sweep", arguments[2]]
    default: arguments
    }
  }
}
