import FrameModel
import Support
import Sweeps

/// A fully defined sweep and its results file.
struct SweepWork {
  let job: SweepJob
  let identity: SweepIdentity
  let path: String
  let shard: SweepShard?
  let pace: SweepWorkFlags
  /// A folder on this computer's own disk to work in; `path` is then a copy, replaced at each checkpoint.
  var scratch: String?
  /// Of the search that chose the settings.
  var readings: SharedReadings?
  let isQuiet: Bool
  /// Nil for the sweep's usual one.
  var bar: ProgressBar?

  /// Half of the checkpoint: a kill loses a batch, and what was not copied yet.
  private var stepSeconds: Double { pace.checkpointSeconds / 2 }

  /// All runs of the shard, or of the sweep.
  func runs() throws(RetakeError) -> [RunKey] {
    guard let shard else { return identity.runKeys }
    return try SweepParts(job.settings, identity, count: shard.count).runs(ofPart: shard.number)
  }

  /// Runs what is left to do. Failures of settings go into the file.
  /// - Parameter copied: called with the number of finished runs after each copy.
  /// - Returns: a file that is open, unless it was a copy.
  /// - Throws: `.usage` for a file of another sweep; errors that end the whole sweep.
  func run(copied: @escaping (Int) -> Void = { _ in }) throws(RetakeError) -> (
    outcome: SweepOutcome, file: SweepResultsFile
  ) {
    // Before the file is created: from then on a signal must leave it intact.
    let stop = StopSignal()
    let start = MonotonicTime.now()
    let shared = try scratch.map { scratch throws(RetakeError) in
      try ScratchResults(path: path, scratch: scratch, identity)
    }
    let file = if let shared { shared.file } else { try SweepResultsFile.openOrCreate(path, identity) }
    let bar = bar ?? ProgressBar("sweep", isQuiet: isQuiet)
    var copying = shared.map { SweepCopying($0, seconds: stepSeconds, copied) }
    let outcome: SweepOutcome
    do throws(RetakeError) {
      outcome = try runner(file).run { progress in
        bar.update(progress.doneFrameCount, of: progress.frameCount)
        return !stop.isSet && copying?.isOwn() ?? true
      }
    } catch {
      bar.end()
      // What is done already is kept, whatever the error.
      try? shared?.finish()
      throw error
    }
    bar.end()
    try shared?.finish()
    if let count = shared?.publishedCount { copied(count) }
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    if !outcome.isWhole {
      Terminal.say(
        "The sweep was interrupted: \(Format.counted(outcome.leftRunCount, "run", "is", "are")) left; finished runs are kept in \(path).\nThis continues it:",
        command: CommandLine.arguments)
    } else if !isQuiet {
      Terminal.say(try sentence(outcome, seconds))
    }
    return (outcome, file)
  }

  func runner(_ file: SweepResultsFile?) -> SweepRunner {
    SweepRunner(
      job, into: file, shard: shard, threadCount: pace.threads.count, memoryLimit: pace.memoryLimit,
      batchSeconds: stepSeconds, readings: readings, note: { [isQuiet] in if !isQuiet { Terminal.say($0) } })
  }

  private func sentence(_ outcome: SweepOutcome, _ seconds: Double) throws(RetakeError) -> String {
    let all = try runs()
    let settings = Format.counted(Set(all.map(\.setting)).count, "setting")
    let over = "\(settings) over \(Format.counted(Set(all.map(\.recording)).count, "recording"))"
    guard outcome.runCount > 0 else { return "\(over): all runs were already done." }
    let before =
      all.count > outcome.runCount ? ", \(all.count - outcome.runCount) of \(all.count) runs already done" : ""
    return
      "\(over), \(Format.counted(outcome.decodedFrameCount, "frame")) of all streams read\(before); \(Format.seconds(seconds))"
  }
}

/// Copies results to the shared folder from time to time. A copy that fails is tried again next time: the share may be full
/// or away for a while.
struct SweepCopying<File: CopiedResults> {
  private let results: ScratchResults<File>
  private let nanoseconds: Int64
  private var last = MonotonicTime.now().nanoseconds
  private var isTold = false
  private let copied: (Int) -> Void

  init(_ results: ScratchResults<File>, seconds: Double, _ copied: @escaping (Int) -> Void) {
    (self.results, self.copied) = (results, copied)
    nanoseconds = Int64(min(seconds, 1e9) * 1e9)
  }

  /// - Returns: false if another process has the part now.
  mutating func isOwn() -> Bool {
    let now = MonotonicTime.now().nanoseconds
    guard now - last >= nanoseconds else { return true }
    last = now
    do throws(RetakeError) {
      try results.publish()
      results.publishedCount.map(copied)
      isTold = false
    } catch {
      if error.code == .busy { return false }
      if !isTold { Terminal.say("\(error.message) It is tried again.") }
      isTold = true
    }
    return true
  }
}
