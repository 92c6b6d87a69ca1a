import FrameModel
import Kernels
import Parameters
import RecordingStore
import Scores
import Support

/// Scores one setting over a part of a recording, as a sweep does, frame by frame while somebody watches.
package final class SettingScoring {
  /// Those that the recording can have, in the order of tables.
  package let scores: [ScoreKind]
  package let absences: [SweepIdentity.Absence]
  private let batch: SweepBatch

  /// - Throws: as a sweep of this setting does.
  package init(_ source: SweepSource, setting: ParameterSet, scores: [ScoreKind]) throws(RetakeError) {
    absences = try source.identity(0, scores: scores, showsOthers: false).absences
    let absent = absences.map(\.score)
    self.scores = ScoreKind.allCases.filter { scores.contains($0) && !absent.contains($0) }
    let frameCount = try source.playedOrder().countOfOnePass
    let plan = try BatchPlan(
      [0], of: [setting], measuresLag: self.scores.contains(.lag),
      memory: SweepMemory(source.recording, scores: Set(self.scores), frameCount: frameCount, threadCount: 1),
      memoryLimit: .max)
    if let failure = plan.failures.first { throw RetakeError(.unsupported, failure.1) }
    let reading = try SharedReading(source, threadCount: 1, idleByteLimit: 32 << 20)
    batch = try SweepBatch(
      source, number: 0, plan.batches[0], scores: Set(self.scores), reading: reading,
      threads: BandRunner(threadCount: 1), keeps: false, note: { _ in })
  }

  deinit { batch.finish() }

  /// Scores the next frame.
  /// - Returns: false at the end.
  /// - Throws: the error that ended it.
  package func step() throws(RetakeError) -> Bool {
    let goesOn = batch.step() != nil
    if let failure = batch.failure(ofMatte: 0) { throw failure }
    return goesOn
  }

  package var frames: [ScoredFrame] { batch.scoredFrames(ofMatte: 0) }

  /// The recording's scores. Call once, after the last step.
  package func summary() throws(RetakeError) -> ScoreRow {
    guard case .scored(let recording) = try batch.runs().first?.outcome else { return ScoreRow() }
    return recording.summary
  }
}
