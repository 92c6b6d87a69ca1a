import ArgumentParser
import FrameModel
import Sweeps

struct SweepBestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "best", abstract: "Says which setting is best, and writes it as parameters for a replay.",
    discussion: """
      retake sweep best session-sweep.sqlite --by iou
      retake sweep best session-sweep.sqlite --by 'flicker<0.05,boundary-f>=0.8,iou' -o best.yaml
      retake replay session.retake --parameters best.yaml --output sheet:best.png

      --by has limits and, last, what the best is best at: scores, or cost for milliseconds of a processor a frame. A setting \
      counts by its mean over the recordings; of equal ones the first is taken. 'replay', 'live' and 'bundle' take the file of \
      --output with --parameters: the preset, and what differs from it.
      """)

  @Argument(help: ArgumentHelp("A sweep's results.", valueName: "results")) var results: String
  @Option(help: ArgumentHelp("Limits and a score: 'flicker<0.05,iou'.", valueName: "choice")) var by: String
  @Option(name: [.short, .long], help: "A YAML file to make, for --parameters; - is standard output.") var output:
    String?
  @OptionGroup var existing: ExistingFiles
  @Flag(help: "Print it as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if json && output == "-" { throw ValidationError("--json and --output - cannot both be standard output.") }
  }

  func run() throws {
    let choice = try SweepChoice(by)
    let output = output.map { TextOutput($0, besides: results, existing) }
    try output?.check()
    let file = try SweepResultsFile.open(results)
    let winner = try SweepWinner(choice, of: file.summaries(), file.identity)
    if json {
      try print(winner.json.text)
    } else if output?.isStandardOutput != true {
      try print(winner.text.printable)
    }
    try output?.write(winner.yaml(), isQuiet: quiet)
  }
}
