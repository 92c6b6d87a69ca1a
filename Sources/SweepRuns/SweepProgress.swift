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
