import MattePipeline

/// The estimated extent of a sweep.
package struct SweepForecast: Hashable, Sendable {
  /// Of the sweep or its part, as the counts of recordings and runs.
  package var settingCount: Int
  package var recordingCount: Int
  package var runCount: Int
  package var leftRunCount: Int
  /// Remaining runs whose settings fail at once.
  package var failingRunCount: Int
  /// Distinct stages of the remaining settings over all recordings; settings share stages where
  /// they agree.
  package var stages: StageCounts
  package var batchCount: Int
  /// Estimated memory of the largest batch, in bytes.
  package var byteCount: Int
  /// Estimated from a few frames; nil if nothing is left to do.
  package var seconds: Double?
}
