package struct SweepProgress: Hashable, Sendable {
  /// Total and played frames, summed over all runs.
  package var frameCount: Int
  package var doneFrameCount: Int
  /// Whether every frame that was played belongs to a run in the file, so that ending here loses no work.
  package var isBatchEnd = false
}

package struct SweepOutcome: Hashable, Sendable {
  /// Runs written by this call, and how many of them failed.
  package var runCount: Int
  package var failedRunCount: Int
  package var leftRunCount: Int
  package var isWhole: Bool { leftRunCount == 0 }
  package var decodedFrameCount: Int
}

struct SweepAccount {
  var progress: SweepProgress
  var outcome: SweepOutcome

  init(runCount: Int, frameCount: Int) {
    progress = SweepProgress(frameCount: frameCount, doneFrameCount: 0)
    outcome = SweepOutcome(runCount: 0, failedRunCount: 0, leftRunCount: runCount, decodedFrameCount: 0)
  }

  mutating func add(_ runs: [SettingRun], frameCount: Int) {
    outcome.runCount += runs.count
    outcome.leftRunCount -= runs.count
    for run in runs { if case .failed = run.outcome { outcome.failedRunCount += 1 } }
    progress.doneFrameCount += runs.count * frameCount
  }
}
