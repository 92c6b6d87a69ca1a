import ArgumentParser
import Glibc
import Support
import Sweeps

struct SweepMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Joins the results of a sweep's parts into one file, without loss or duplicates.",
    discussion: """
      retake sweep --file tune.yaml --shard 1/2 -o part-1.sqlite
      retake sweep --file tune.yaml --shard 2/2 \\
          -o part-2.sqlite      # on another machine
      retake sweep merge part-1.sqlite part-2.sqlite -o whole.sqlite

      retake sweep merge tuning       # what 'sweep submit' made

      The parts must belong to one sweep: the same settings, scores, recordings and version of Retake. A run that two parts \
      contain must be the same in both, and is taken once. The result is the same as that of one machine. When runs are \
      missing, it exits 3 and shows how many; the sweep's own command with -o whole.sqlite completes them.
      """)

  @Argument(
    help: ArgumentHelp("The results of the parts, or the folder of a submitted sweep.", valueName: "results"),
    completion: .results)
  var parts: [String]
  @Option(
    name: [.short, .long],
    help: "The file to create; an existing file is not overwritten. For a folder, by default its result.sqlite.")
  var output: String?
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if output == "" || output == "-" { throw ValidationError("--output takes a file to create.") }
  }

  func run() throws {
    let shared = try shared()
    let output = output ?? shared?.resultPath ?? ""
    let report = try merge(shared, into: output)
    if summary.json {
      try print(
        JSONObject([
          "path": output,
          "runs": report.runCount,
          "missing": report.missing.count,
          "inputs": report.inputs.map {
            JSONObject(["path": $0.path, "runs": $0.runCount, "new": $0.newCount])
          },
        ]).versioned.text)
    } else {
      messages.say("\(Format.counted(report.runCount, "run")) of \(Format.counted(report.inputs.count, "file")).")
    }
    if !report.missing.isEmpty {
      let runs = Format.counted(report.missing.count, "run", "is", "are")
      let them = report.missing.count == 1 ? "it" : "them"
      let command =
        shared.map { "'retake sweep submit -o \(ShellWord.quoted($0.path))' submits" }
        ?? "the sweep's own command with -o \(output) completes"
      messages.say("\(runs) missing: \(command) \(them).")
    }
    if !summary.json { try print(output) }
    if !report.missing.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func shared() throws -> SharedSweep? {
    let path = Folder.absolute(parts[0])
    guard parts.count == 1, SharedSweep.exists(path) else {
      guard output != nil else {
        if parts.count == 1, access(path, F_OK) != 0 { throw FileBytes.failure("read", parts[0]) }
        throw RetakeError(.usage, "There is no file to merge into.", hint: "give one with -o, as in -o whole.sqlite")
      }
      return nil
    }
    let shared = try SharedSweep(path)
    guard shared.search == nil else {
      throw RetakeError(
        .usage, "\(path) is a search, whose steps join its parts themselves.",
        hint: "'retake sweep status \(ShellWord.quoted(path))' shows how far it is")
    }
    return shared
  }

  private func merge(_ shared: SharedSweep?, into path: String) throws(RetakeError) -> MergeReport {
    guard let shared else { return try SweepResultsFile.merge(parts, into: path) }
    if let output { try TextOutput.checkPlace(output, "--output") }
    return try shared.merge(into: path, replacing: output == nil, scratch: SharedFolder.scratch(nil))
  }
}
