import FrameModel
import Support
import Sweeps

/// A fully defined sweep and its results file.
struct SweepWork {
  let job: SweepJob
  let identity: SweepIdentity
  let path: String
  let shard: SweepShard?
  let threadCount: Int
  let memoryLimit: Int
  let isQuiet: Bool

  /// Settings of the shard, or all.
  var settingNumbers: [Int] {
    let count = identity.settings.count
    return Array(shard?.settings(of: count) ?? 0..<count)
  }

  /// Runs what is left to do. Failures of settings go into the file.
  /// - Throws: `.usage` for a file of another sweep; errors that end the whole sweep.
  func run() throws(RetakeError) -> (outcome: SweepOutcome, file: SweepResultsFile) {
    // Before the file is created: from then on a signal must leave it intact.
    let stop = StopSignal()
    let start = MonotonicTime.now()
    let file = try SweepResultsFile.openOrCreate(path, identity)
    let bar = ProgressBar("sweep", isQuiet: isQuiet)
    let outcome = try runner(file).run { progress in
      bar.update(progress.doneFrameCount, of: progress.frameCount)
      return !stop.isSet
    }
    bar.end()
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    if !outcome.isWhole {
      Terminal.say(
        "The sweep was interrupted: \(Format.counted(outcome.leftRunCount, "run", "is", "are")) left; finished runs are kept in \(path). "
          + "Run the same command to continue.")
    } else if !isQuiet {
      Terminal.say(try sentence(outcome, file, seconds))
    }
    return (outcome, file)
  }

  func runner(_ file: SweepResultsFile?) -> SweepRunner {
    SweepRunner(
      job, into: file, shard: shard, threadCount: threadCount, memoryLimit: memoryLimit,
      note: { [isQuiet] in if !isQuiet { Terminal.say($0) } })
  }

  private func sentence(
    _ outcome: SweepOutcome, _ file: SweepResultsFile, _ seconds: Double
  ) throws(RetakeError) -> String {
    let settings = Format.counted(settingNumbers.count, "setting")
    let over = "\(settings) over \(Format.counted(identity.recordings.count, "recording"))"
    guard outcome.runCount > 0 else { return "\(over): all runs were already done." }
    let all = settingNumbers.count * identity.recordings.count
    let before = all > outcome.runCount ? ", \(all - outcome.runCount) of \(all) runs already done" : ""
    return "\(over), \(Format.counted(outcome.decodedFrameCount, "frame")) read\(before); \(Format.seconds(seconds))"
  }
}
