import ArgumentParser
import Scores
import Support
import Sweeps

struct SweepBestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "best", abstract: "Shows the best setting, and writes it as parameters for a replay.",
    discussion: """
      retake sweep best session-sweep.sqlite --by iou
      retake sweep best session-sweep.sqlite \\
          --by 'flicker<1,boundary-f>=0.8,iou' -o best.yaml
      retake replay session.retake --parameters best.yaml --output best.png
      retake sweep best session-sweep.sqlite --by unsupervised

      --by takes limits and, last, the score to optimize; cost is the CPU time per frame in milliseconds, and unsupervised \
      ranks settings without the truth. A setting's scores are means over the recordings; of equal settings, the first is \
      chosen. --output writes the preset and the parameters that differ from it, for --parameters of 'replay', 'live' and \
      'bundle'.
      """)

  @Argument(help: ArgumentHelp("A sweep's results.", valueName: "results"), completion: .results) var results: String
  @Option(
    help: ArgumentHelp(
      "Limits and a score, as in 'flicker<1,iou'. By default as the sweep's --best.", valueName: "choice"),
    completion: .choice)
  var by: String?
  @Option(name: [.short, .long], help: "A YAML file to create, for --parameters; - is standard output.") var output:
    String?
  @OptionGroup var existing: ExistingFiles
  @Flag(help: "Print the best setting as JSON.") var json = false
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if json && output == "-" { throw ValidationError("--json and --output - cannot both be standard output.") }
  }

  func run() throws {
    let given = try by.map { text throws(RetakeError) in try SweepChoice(text) }
    let output = output.map { TextOutput(path: $0, results: results, existing: existing) }
    try output?.check()
    let file = try SweepResultsFile.open(results)
    guard let choice = given ?? file.identity.choice else {
      let names = (file.identity.scores.map(\.name) + ["cost"]).joined(separator: ", ")
      let example = Self.exampleScore(of: file.identity)
      throw RetakeError(
        .usage, "The sweep had no --best, so --by is needed.",
        hint: "\(example.map { "write --by \($0.name), or another score: " } ?? "it has the scores ")\(names)")
    }
    let winner = try SweepWinner(choice, of: file.summaries(), file.identity)
    if json {
      try print(winner.json.versioned.text)
    } else if output?.isStandardOutput != true {
      try print(winner.text.printable)
    }
    if let output { try output.write(winner.yaml(in: output.file, results: results), isQuiet: messages.quiet) }
  }

  /// A score of a sweep that `--by` may have; nil if it has none with a better direction.
  static func exampleScore(of identity: SweepIdentity) -> ScoreKind? {
    identity.scores.first { $0 == .boundaryF } ?? identity.scores.first { $0.preference != .none }
  }
}
