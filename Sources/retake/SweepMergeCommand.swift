import ArgumentParser
import FrameModel
import SweepResults

struct SweepMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Joins the results of a sweep's parts, losing and doubling nothing.",
    discussion: """
      retake sweep --file tune.yaml --shard 1/2 -o part-1.sqlite
      retake sweep --file tune.yaml --shard 2/2 -o part-2.sqlite      # on another machine
      retake sweep merge part-1.sqlite part-2.sqlite -o whole.sqlite

      Parts are of one sweep: the same settings, scores, recordings and version of Retake. What two of them have is taken once, \
      when it is the same. The whole is what one machine would have made; where runs are missing, exits 1 and says how many: the \
      sweep goes on with such a file like with any other.
      """)

  @Argument(help: ArgumentHelp("Results of parts.", valueName: "results")) var parts: [String]
  @Option(name: [.short, .long], help: "The file to make; nothing is written over.") var output: String
  @Flag(help: "Print what was joined as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func run() throws {
    let report = try SweepResultsFile.merge(parts, into: output)
  }
}
