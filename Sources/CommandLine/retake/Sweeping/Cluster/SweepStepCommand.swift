import ArgumentParser
import Support
import Sweeps

struct SweepStepCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Decides the next round of a submitted search; what the jobs of 'sweep submit' do.",
    discussion: """
      retake sweep step tuning --print

      Decides by what the parts of the last round scored. Scores itself what takes less than --share-from, and submits the \
      next round: parts that run at once, and a step behind them. At the end it writes result.sqlite, found.txt and best.yaml.

      Exits 75 when it was ended before its end, and 73 when the same step has been started elsewhere since.
      """)

  @Argument(help: ArgumentHelp("The folder that 'retake sweep submit' made.", valueName: "folder")) var folder: String
  @Option(help: "The round behind which it decides. By default the last one.") var round: Int?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Options for sbatch, as of 'sweep submit'.", valueName: "options"))
  var sbatch: String = ""
  @OptionGroup var pace: SweepWorkFlags
  @Option(
    help: ArgumentHelp(
      "A folder on this computer's own disk to work in. By default SLURM_TMPDIR, TMPDIR or /tmp.", valueName: "folder"))
  var scratch: String?
  @Flag(name: .customLong("print"), help: "Only print the commands that submit the next round.") var printOnly = false
  @Flag(name: [.short, .long], help: "Print only errors.") var quiet = false

  func run() throws {
    let submitted = try SharedSweep(Folder.absolute(folder))
    let options = try SbatchOptions(sbatch)
    guard let request = submitted.search else {
      throw RetakeError(
        .usage, "\(submitted.path) is a sweep without --search: it has no steps.", hint: "use 'retake sweep merge'")
    }
    let work = try SharedFolder.search(request, of: submitted, isQuiet: quiet)
    var number = try round ?? submitted.latestRound()
    while true {
      let latest = try submitted.latestRound()
      guard number == latest else {
        // It was decided before; what is behind it is another job's.
        return say("The round behind \(number) was decided already: round \(latest) is the last.")
      }
      let (shared, round) = try submitted.round(number)
      func at(_ shared: SharedSweep, _ round: SharedSweep.Round) -> SharedRound {
        SharedRound(
          shared: shared, round: round, request: request, work: work, pace: pace,
          scratch: SharedFolder.scratch(scratch), isQuiet: quiet)
      }
      switch try at(shared, round).decide() {
      case .ended: throw ExitCode(ExitStatus.unfinished.rawValue)
      case .done(let text): return try print(text.printable)
      case .round(let count):
        number += 1
        let (next, round) = try submitted.round(number)
        say("Round \(number): \(round.kind.rawValue) in \(Format.counted(count, "part")).")
        if count > 1 {
          return try Dispatcher(
            sweep: next, target: .slurm, options: options, hosts: nil, template: nil, printOnly: printOnly,
            isQuiet: quiet
          ).startRound(Array(1...count))
        }
        guard try at(next, round).run(part: 1) else { throw ExitCode(ExitStatus.unfinished.rawValue) }
      }
    }
  }
}
