import ArgumentParser
import RecordingStore
import Support
import Sweeps

struct SweepSubmitCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Runs a sweep in parts on a cluster with Slurm, or on a list of computers.",
    usage: """
      retake sweep submit <recording> ... -o <folder> [<options>]
      retake sweep submit -o <folder>
      """,
    discussion: """
      retake sweep submit --file tune.yaml -o tuning
      retake sweep submit --file tune.yaml -o tuning --sbatch '-p short -A lab -c 4'
      retake sweep submit --file tune.yaml -o tuning --hosts hosts.txt
      retake sweep submit --file tune.yaml -o tuning \\
        --template 'qsub -N part{part} -- {job} {part}'
      retake sweep status tuning --watch
      retake sweep merge tuning

      Makes a folder with the sweep's definition and the scripts that run it, submits an array of jobs and a job that joins \
      their results, and returns. All computers must see this program, the recordings and the folder under the same paths. \
      Called again with the same folder, it submits the parts that are neither done nor queued.

      A part is a share of the recordings and settings that takes about 20 minutes by forecast. It works on its computer's own \
      disk and copies its results to the folder every minute, so a kill costs a minute. A part that reaches its time limit is \
      queued again and continues.
      """)

  enum Target {
    case slurm, parallel, command
  }

  @OptionGroup var flags: SweepFlags
  @Option(name: [.short, .long], help: ArgumentHelp("The folder to make, or to complete.", valueName: "folder"))
  var output: String
  @Option(help: "Number of parts. By default as many as take about 20 minutes each, within the site's limits.")
  var parts: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Options for sbatch, such as '-p short -A lab -c 4'.", valueName: "options"))
  var sbatch: String = ""
  @Option(
    help: ArgumentHelp(
      "Use these computers by GNU parallel over ssh, not Slurm: one a line, as for ssh, or as N/host for N parts at once.",
      valueName: "file"))
  var hosts: String?
  @Option(
    help: ArgumentHelp(
      "Use a command of yours, not Slurm: a line for sh that starts one part; {part} is its number, {job} the script, {folder} the folder.",
      valueName: "line"))
  var template: String?
  @OptionGroup(title: "Search") var searching: SearchFlags
  @Option(
    help: ArgumentHelp("Of a search: limits and the score to search by, as of 'sweep run'.", valueName: "limit,…,score")
  )
  var best: String?
  @Option(
    help: ArgumentHelp(
      "Of a search: a rung that takes shorter is not shared, and no part of a rung takes less, by forecast. By default 1m.",
      valueName: "time"))
  var shareFrom: TimeSpan?
  @OptionGroup(title: "Threads, memory and checkpoints") var pace: SweepWorkFlags
  @Flag(name: .customLong("print"), help: "Make the folder, and only print the commands.") var printOnly = false
  @Flag(name: [.short, .long], help: "Print only errors.") var quiet = false

  func validate() throws {
    if output.isEmpty || output == "-" { throw ValidationError("--output takes a folder.") }
    if let parts, !SharedSweep.partRange.contains(parts) {
      throw ValidationError(
        "--parts takes \(SharedSweep.partRange.lowerBound) to \(SharedSweep.partRange.upperBound).")
    }
    if searching.isWanted != (best != nil) {
      throw ValidationError(
        searching.isWanted
          ? "--search needs --best, as in --best 'flicker<1,iou'."
          : "--best needs --search here; of a sweep use 'retake sweep best' on its results.")
    }
    if shareFrom != nil && !searching.isWanted { throw ValidationError("--share-from needs --search.") }
    if searching.isWanted && target != .slurm {
      throw ValidationError("A search is shared by Slurm only: leave out --hosts and --template.")
    }
    if hosts != nil && template != nil { throw ValidationError("Use either --hosts or --template, not both.") }
    if let template, !template.contains("{part}") {
      throw ValidationError("--template has no {part}, which becomes the part's number, as in 'qsub -- {job} {part}'.")
    }
    if !sbatch.isEmpty && target != .slurm {
      throw ValidationError("--sbatch is for Slurm: leave it out, or leave out --hosts and --template.")
    }
  }

  private var target: Target { hosts != nil ? .parallel : template != nil ? .command : .slurm }

  func run() throws {
    let path = Folder.absolute(output)
    let options = try SbatchOptions(sbatch)
    let site: SlurmSite?
    do throws(RetakeError) {
      site = target == .slurm ? try SlurmSite.ask() : nil
    } catch {
      // The commands can be looked at anywhere.
      guard printOnly else { throw error }
      site = nil
    }
    let partition = try site?.partition(options)
    if target != .slurm && !printOnly { try Dispatcher.check(target, hosts: hosts) }
    let isGiven = !flags.recordings.isEmpty || flags.file != nil
    let shared: SharedSweep
    if SharedSweep.exists(path) {
      shared = try SharedSweep(path)
      if let request = shared.search { return try complete(shared, request, isGiven: isGiven, site, options) }
      guard !searching.isWanted else {
        throw RetakeError(
          .usage, "\(path) has a sweep without --search.", hint: "leave out --search, or submit to another folder")
      }
      // It may have been edited since, and so may the recordings.
      try shared.check(try job(SharedFolder.plan(of: shared)).identity(), of: shared.definitionPath)
      if isGiven { try shared.check(try job(flags.plan(needed: []).plan).identity(), of: "What was given") }
      if let parts, parts != shared.partCount {
        throw RetakeError(
          .usage, "\(path) has \(Format.counted(shared.partCount, "part")), which cannot be changed to \(parts).",
          hint: "leave out --parts, or submit to another folder")
      }
    } else {
      guard isGiven || FileReplacement.replaces(path) else {
        throw RetakeError(
          .usage, "There is no submitted sweep in \(path), and none was given.",
          hint: "give recordings or a file, as in 'retake sweep submit --file tune.yaml -o \(output)'")
      }
      if searching.isWanted { return try search(path, site, partition, options) }
      shared = try create(path, site, partition, options)
    }
    let status = try SharedStatus(shared)
    let states = try status.parts()
    let missing = states.filter(\.canBeSubmitted).map(\.number)
    let dispatcher = Dispatcher(
      sweep: shared, target: target, options: options, hosts: hosts.map(Folder.absolute), template: template,
      printOnly: printOnly, isQuiet: quiet)
    guard !missing.isEmpty else {
      say(status.summary(states))
      return try print(path)
    }
    if let site, let highest = missing.last, highest > site.highestArrayIndex {
      throw arrayLimit(shared.partCount, site)
    }
    try dispatcher.start(missing)
    say(
      "\(Format.counted(missing.count, "part")) of \(shared.partCount)\(printOnly ? " to submit" : " submitted"); "
        + "see 'retake sweep status \(ShellWord.quoted(output))'.")
    try print(path)
  }

  func arrayLimit(_ count: Int, _ site: SlurmSite) -> RetakeError {
    RetakeError(
      .usage, "This site's arrays have at most \(site.highestArrayIndex) jobs, fewer than \(count) parts.",
      hint: "give --parts \(site.highestArrayIndex) or fewer, with another folder if this one exists")
  }

  private func job(_ plan: SweepPlan) throws -> SweepJob {
    try plan.job { path throws(RetakeError) in try Recording.opened(path, isQuiet: quiet) }
  }

  static let aimSeconds = 1200.0
  static let usualPartLimit = 1000

  private func create(
    _ path: String, _ site: SlurmSite?, _ partition: SlurmSite.Partition?, _ options: SbatchOptions
  ) throws -> SharedSweep {
    if let parts, let site, parts > site.highestArrayIndex { throw arrayLimit(parts, site) }
    let (plan, named) = try flags.plan(needed: [])
    let job = try job(plan)
    let identity = try job.identity()
    say(identity.absenceSentences(of: named) + identity.truthSentences(isPartial: true))
    // As a job runs: by default on one processor.
    let forecast = try SweepRunner(job, into: nil, threadCount: 1, memoryLimit: pace.memoryLimit).forecast()
    let seconds = forecast.seconds ?? 0
    let limit = min(site?.highestArrayIndex ?? Self.usualPartLimit, Self.usualPartLimit, forecast.runCount)
    let partCount = parts ?? max(1, min(limit, Int((seconds / Self.aimSeconds).rounded(.up))))
    let definition = try plan.yamlText(
      absolutePath: Folder.absolute,
      comments: ["Submitted with 'retake sweep submit'. Changes have no effect but an error; submit to another folder."]
    )
    let shared = try SharedSweep.create(
      path, identity, definition: definition, partCount: partCount, forecastSeconds: seconds)
    // Three times the forecast, since nodes differ and the first frames may be easy.
    let wanted = max(15, Int(3 * seconds / Double(partCount) / 60) + 5)
    let scripts = JobScripts(
      sweep: shared, program: SharedFolder.program, folder: Folder.absolute("."),
      minutes: min(wanted, partition?.longestMinutes ?? wanted),
      memoryMegabytes: forecast.byteCount * 3 / 2 / 1_000_000 + 500, options: pace.words)
    try scripts.write()
    say(
      "\(Format.counted(forecast.runCount, "run")) in \(Format.counted(partCount, "part")) of about \(Format.duration(seconds / Double(partCount)))."
    )
    return shared
  }
}
