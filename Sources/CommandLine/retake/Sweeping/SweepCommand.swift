import ArgumentParser

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Runs recordings with many settings, scores each, and shows the best.",
    usage: """
      retake sweep <recording> ... [<options>]
      retake sweep <subcommand>
      """,
    discussion: """
      retake sweep session.retake --scan matte.blur=1..12:1 --list depth.rate=1/1,1/2,1/3
      retake sweep session.retake --range mask.offset=0.1..0.5 --random 200 --seed 7 --best 'flicker<1,iou'
      retake sweep --file tune.yaml --dry-run
      retake sweep report session-sweep.sqlite -o report.html --best iou
      retake sweep best session-sweep.sqlite --by 'flicker<1,iou' -o best.yaml
      retake sweep submit --file tune.yaml -o tuning            # on a cluster
      retake replay session.retake --parameters best.yaml --output sheet:best.png

      'retake sweep run --help' lists the options of a sweep; 'run' itself may be left out. Write ./report for a recording \
      that has the name of a subcommand.
      """,
    subcommands: [
      SweepRunCommand.self, SweepReportCommand.self, SweepBestCommand.self, SweepTableCommand.self,
      SweepCompareCommand.self, SweepMergeCommand.self, SweepSubmitCommand.self, SweepStatusCommand.self,
      SweepPartCommand.self,
    ], defaultSubcommand: SweepRunCommand.self)
}
