import ArgumentParser
import FrameModel
import Support
import Sweeps

struct SweepMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Joins the results of a sweep's parts, losing and doubling nothing.",
    discussion: """
      retake sweep --file tune.yaml --shard 1/2 -o part-1.sqlite
      retake sweep --file tune.yaml --shard 2/2 -o part-2.sqlite      # on another machine
      retake sweep merge part-1.sqlite part-2.sqlite -o whole.sqlite

      Parts are of one sweep: the same settings, scores, recordings and version of Retake. What two of them have is taken once, \
      and has to be the same in both. The whole is what one machine would have made. Where runs are missing it exits 3 and says \
      how many; the sweep's own command with -o whole.sqlite does them.
      """)

  @Argument(help: ArgumentHelp("Results of parts.", valueName: "results")) var parts: [String]
  @Option(name: [.short, .long], help: "The file to make; nothing is written over.") var output: String
  @Flag(help: "Print what was joined as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if output.isEmpty || output == "-" { throw ValidationError("--output takes a file to make.") }
  }

  func run() throws {
    let report = try SweepResultsFile.merge(parts, into: output)
    if json {
      var object = JSONObject()
      object.add("path", output)
      object.add("runs", report.runCount)
      object.add("missing", report.missing.count)
      object.add(
        "inputs",
        report.inputs.map { input in
          var object = JSONObject()
          object.add("path", input.path)
          object.add("runs", input.runCount)
          object.add("new", input.newCount)
          return object
        })
      try print(object.text)
    } else if !quiet {
      Terminal.say(
        "\(Format.counted(report.runCount, "run")) of \(Format.counted(report.inputs.count, "file")).")
    }
    if !report.missing.isEmpty && !quiet {
      Terminal.say(
        "\(Format.counted(report.missing.count, "run")) \(report.missing.count == 1 ? "is" : "are") missing: the sweep's "
          + "own command with -o \(output) does \(report.missing.count == 1 ? "it" : "them").")
    }
    if !json { try print(output) }
    if !report.missing.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
