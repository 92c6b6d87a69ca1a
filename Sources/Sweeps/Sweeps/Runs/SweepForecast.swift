import MattePipeline

/// What a sweep comes to, before it is run.
package struct SweepForecast: Hashable, Sendable {
  /// Of the shard.
  package var settingCount: Int
  package var recordingCount: Int
  /// Runs that are left to do.
  package var leftRunCount: Int
  /// Runs that cannot be done: their settings fail at once.
  package var failingRunCount: Int
  /// Stages that the settings left to do come to, over all recordings: fewer than settings where these agree.
  package var stages: StageCounts
  /// Passes over recordings.
  package var batchCount: Int
  /// An estimate of what the largest batch takes.
  package var byteCount: Int
  /// Measured on a few frames; nil where there is nothing to do.
  package var seconds: Double?
}
