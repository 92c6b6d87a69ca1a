import ArgumentParser
import FrameModel
import Glibc
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
  @OptionGroup var pace: SweepWorkFlags
  @Option(
    help: ArgumentHelp(
      "A folder on this computer's own disk to work in. By default SLURM_TMPDIR, TMPDIR or /tmp.", valueName: "folder"))
  var scratch: String?
  @Flag(name: [.short, .long], help: "Print only errors.") var quiet = false

  func run() throws {
    let shared = try SharedSweep(SharedFolder.absolute(folder))
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
    throw RetakeError(
      .unsupported,
      "The part ended twice before it had finished any run; \(Format.counted(copied, "run")) were done before.",
      hint: "give it more time, or let it stop and start at shorter steps with --checkpoint")
  }
}
