import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// Scores settings on units, as a sweep over these frames does.
package struct SearchScorer {
  let sources: [SweepSource]
  let scores: [ScoreKind]
  let threadCount: Int
  let memoryLimit: Int
  let note: (String) -> Void

  package init(
    _ sources: [SweepSource], scores: [ScoreKind], threadCount: Int, memoryLimit: Int,
    note: @escaping (String) -> Void = { _ in }
  ) {
    (self.sources, self.scores, self.note) = (sources, scores, note)
    (self.threadCount, self.memoryLimit) = (max(1, threadCount), memoryLimit)
  }

  /// The result of a setting on a unit, with the error's sentence if it failed.
  package struct Result: Hashable, Sendable {
    package var setting: Int
    package var unit: Int
    package var score: SearchScore
    package var error: String?
  }

  /// - Parameters:
  ///   - settings: with their numbers in the search.
  ///   - take: called with the results of each batch, in any order of settings.
  ///   - goesOn: asked after each frame; false ends the work.
  /// - Returns: false if it was ended.
  /// - Throws: what ends the whole search, such as a recording that cannot be read.
  package func score(
    _ settings: [(number: Int, parameters: ParameterSet)], on unit: SearchUnit, number: Int,
    take: ([Result]) throws(RetakeError) -> Void, goesOn: () -> Bool
  ) throws(RetakeError) -> Bool {
    let source = try source(of: unit)
    let kinds = Set(scores)
    let memory = SweepMemory(source.recording, scores: kinds, frameCount: unit.played.count)
    let idle = min(memoryLimit / 8, 256 << 20)
    let plan = try BatchPlan(
      Array(settings.indices), of: settings.map(\.parameters), measuresLag: false, memory: memory,
      memoryLimit: memoryLimit - idle)
    if !plan.failures.isEmpty {
      try take(
        plan.failures.map {
          Result(setting: settings[$0.setting].number, unit: number, score: .failed, error: $0.sentence)
        })
    }
    let whole = sources[unit.recording]
    let order = try whole.playedOrder()
    let first = try whole.recording.firstNumber()
    let scored = Set(unit.frames.map { order.number(at: $0) + first })
    let threads = BandRunner(threadCount: threadCount)
    for mattes in plan.batches {
      let decoded = try DecodedFrames(source.recording, threadCount: threadCount, idleByteLimit: idle)
      let batch = try SweepBatch(
        source, number: unit.recording, mattes, scores: kinds, decoded: decoded, threads: threads, keeps: true,
        note: note)
      defer { batch.finish() }
      while batch.step() != nil { guard goesOn() else { return false } }
      try take(
        try batch.runs().map { run in
          let setting = settings[run.key.setting].number
          switch run.outcome {
          case .failed(let error): return Result(setting: setting, unit: number, score: .failed, error: error)
          case .scored(let recording):
            return Result(
              setting: setting, unit: number, score: sums(recording.frames.filter { scored.contains($0.number) }))
          }
        })
    }
    return true
  }

  private func source(of unit: SearchUnit) throws(RetakeError) -> SweepSource {
    let whole = sources[unit.recording]
    let order = try whole.playedOrder()
    let last = order.number(at: unit.played.upperBound - 1)
    var part = PlayOrder(frames: order.number(at: unit.played.lowerBound)..<last + 1)
    part.every = order.every
    var source = SweepSource(whole.recording, path: whole.path, order: part, truth: whole.truth)
    source.boundaryTolerance = whole.boundaryTolerance
    return source
  }

  private func sums(_ frames: [ScoredFrame]) -> SearchScore {
    .scored(
      scores.map { kind in
        var sum = SearchScore.Sum()
        for frame in frames {
          guard let value = frame.scores[kind] else { continue }
          sum.total += value
          sum.count += 1
        }
        return sum
      })
  }
}
