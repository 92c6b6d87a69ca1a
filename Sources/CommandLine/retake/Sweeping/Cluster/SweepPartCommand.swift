import ArgumentParser
import RecordingStore
import Support
import Sweeps

struct SweepPartCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "part", abstract: "Runs one part of a submitted sweep; what the jobs of 'sweep submit' do.",
    discussion: """
      retake sweep part tuning 3

      Works on this computer's own disk (--scratch), and copies the results to the sweep's folder, whole and by rename, \
      at each --checkpoint and at the end. After Ctrl-C, SIGTERM or a kill, the same command continues from the copy, on \
      any computer.

      Exits 75 when it was ended before its end, 73 when the same part has been started elsewhere since, and 1 when it was \
      ended twice in a row before it had finished any run: the time that it is given may be too short.
      """)

  @Argument(help: ArgumentHelp("The folder that 'retake sweep submit' made.", valueName: "folder")) var folder: String
  @Argument(help: "The part's number, from 1.") var part: Int
  @Option(help: "Of a search: the round that the part belongs to. By default the last one.") var round: Int?
  @OptionGroup var pace: SweepWorkFlags
  @Option(
    help: ArgumentHelp(
      "A folder on this computer's own disk to work in. By default SLURM_TMPDIR, TMPDIR or /tmp.", valueName: "folder"))
  var scratch: String?
  @Flag(name: [.short, .long], help: "Print only errors.") var quiet = false

  func run() throws {
    let shared = try SharedSweep(Folder.absolute(folder))
    if let request = shared.search { return try run(request, of: shared) }
    guard round == nil else {
      throw RetakeError(
        .usage, "\(shared.path) is a sweep without --search: it has no rounds.", hint: "leave out --round")
    }
    try shared.checkPart(part)
    let job = try SharedFolder.plan(of: shared).job { path throws(RetakeError) in
      try Recording.opened(path, isQuiet: quiet)
    }
    let identity = try job.identity()
    try shared.check(identity, of: shared.definitionPath)
    let work = SweepWork(
      job: job, identity: identity, path: shared.partPath(part),
      shard: try SweepShard("\(part)/\(shared.partCount)"), pace: pace, scratch: SharedFolder.scratch(scratch),
      isQuiet: quiet)
    let all = try work.runs().count
    if shared.progress(of: part) == nil {
      try shared.writeProgress(SharedSweep.PartProgress(runCount: all, doneCount: 0), of: part)
    }
    var copied = 0
    let (outcome, _) = try work.run { count in
      copied = count
      try? shared.writeProgress(SharedSweep.PartProgress(runCount: all, doneCount: count), of: part)
    }
    let isVain = outcome.runCount == 0 && !outcome.isWhole
    let isVainAgain = try shared.isVainAgain(isVain, part: part)
    if outcome.isWhole { return try print(shared.partPath(part)) }
    guard isVainAgain else { throw ExitCode(ExitStatus.unfinished.rawValue) }
    throw Self.endedInVain(doneCount: copied)
  }

  static func endedInVain(doneCount: Int) -> RetakeError {
    RetakeError(
      .unsupported,
      "The part ended twice before it had finished any run; \(Format.counted(doneCount, "run")) were done before.",
      hint: "give it more time, or let it stop and start at shorter steps with --checkpoint")
  }

  private func run(_ request: SharedSearch, of submitted: SharedSweep) throws {
    let latest = try submitted.latestRound()
    let number = round ?? latest
    guard (1...max(1, latest)).contains(number), latest > 0 else {
      throw RetakeError(
        .usage, "\(submitted.path) has no round \(number).", hint: "'retake sweep step' decides the next round")
    }
    // Slurm may start it again after the others have ended.
    if number < latest { return say("Round \(number) is over: round \(latest) is the last.") }
    let (shared, round) = try submitted.round(number)
    let isWhole = try SharedRound(
      shared: shared, round: round, request: request,
      work: SharedFolder.search(request, of: submitted, isQuiet: quiet), pace: pace,
      scratch: SharedFolder.scratch(scratch), isQuiet: quiet
    ).run(part: part)
    guard isWhole else { throw ExitCode(ExitStatus.unfinished.rawValue) }
    try print(shared.partPath(part))
  }
}
