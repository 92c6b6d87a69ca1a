/// How far a sweep has come.
package struct SweepProgress: Hashable, Sendable {
  /// Runs of a setting over a recording that were to be done, and those of them that are.
  package var runCount: Int
  package var doneRunCount: Int
  /// Frames of a setting that were to be played, over all runs, and those of them that were.
  package var frameCount: Int
  package var doneFrameCount: Int
  /// The recording at hand, by its place.
  package var recording: Int
}

/// What became of a sweep.
package struct SweepOutcome: Hashable, Sendable {
  /// Runs that were written now, and those of them that failed.
  package var runCount: Int
  package var failedRunCount: Int
  /// Runs of the shard that are left to do.
  package var leftRunCount: Int
  /// Nobody ended it early.
  package var isWhole: Bool { leftRunCount == 0 }
  /// Frames that were read and decoded.
  package var decodedFrameCount: Int
}

/// Counts what a sweep does.
struct SweepAccount {
  var progress: SweepProgress
  var outcome: SweepOutcome

  init(runCount: Int, frameCount: Int) {
    progress = SweepProgress(
      runCount: runCount, doneRunCount: 0, frameCount: frameCount, doneFrameCount: 0, recording: 0)
    outcome = SweepOutcome(runCount: 0, failedRunCount: 0, leftRunCount: runCount, decodedFrameCount: 0)
  }

  /// Runs that were written.
  mutating func add(_ runs: [SettingRun], frameCount: Int) {
    outcome.runCount += runs.count
    outcome.leftRunCount -= runs.count
    for run in runs { if case .failed = run.outcome { outcome.failedRunCount += 1 } }
    progress.doneRunCount = outcome.runCount
    progress.doneFrameCount += runs.count * frameCount
  }
}
