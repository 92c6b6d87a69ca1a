import Kernels
import MattePipeline
import Parameters
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
  /// Every frame is played many times: for each rung, and for the settings of each.
  package let readings: SharedReadings
  private let threads: BandRunner
  private let blurs: BlurMemory
  private let batches: SearchBatches

  package init(
    _ sources: [SweepSource], scores: [ScoreKind], threadCount: Int, memoryLimit: Int,
    note: @escaping (String) -> Void = { _ in }
  ) {
    (self.sources, self.scores, self.note) = (sources, scores, note)
    (self.threadCount, self.memoryLimit) = (max(1, threadCount), memoryLimit)
    readings = SharedReadings(sources, threadCount: self.threadCount, memoryLimit: memoryLimit)
    threads = BandRunner(threadCount: self.threadCount)
    blurs = BlurMemory(byteLimit: min(self.memoryLimit / 16, 64 << 20))
    batches = SearchBatches(byteLimit: memoryLimit - readings.byteLimit - blurs.byteLimit)
  }

  /// Batches made so far; others went on with other frames.
  package var madeBatchCount: Int { batches.madeCount }

  /// The result of a setting on a unit, with the error's sentence if it failed.
  package struct Result: Hashable, Sendable {
    package var setting: Int
    package var unit: Int
    package var score: SearchScore
    package var error: String?
  }

  /// Frames that are played in one go, and the units among them.
  struct Pass {
    var recording: Int
    /// Positions of what is played of the recording.
    var played: Range<Int>
    var units: [(number: Int, frames: Range<Int>)]
  }

  /// - Parameters:
  ///   - settings: with their numbers in the search.
  ///   - take: called with the results of each batch, in any order of settings.
  ///   - goesOn: asked after each frame; false ends the work.
  /// - Returns: false if it was ended.
  /// - Throws: what ends the whole search, such as a recording that cannot be read.
  func score(
    _ settings: [(number: Int, parameters: ParameterSet)], on pass: Pass,
    take: ([Result]) throws(RetakeError) -> Void, goesOn: () -> Bool
  ) throws(RetakeError) -> Bool {
    let (order, first) = try readings.order(pass.recording)
    let source = source(of: pass, order)
    let kinds = Set(scores)
    let key = SearchBatches.Key(
      settings: settings.map(\.number), recording: pass.recording, frameCount: pass.played.count)
    let plan = try batches.plan(key) { () throws(RetakeError) in
      let memory = SweepMemory(source.recording, scores: kinds, frameCount: pass.played.count, threadCount: threadCount)
      return try BatchPlan(
        Array(settings.indices), of: settings.map(\.parameters), measuresLag: false, memory: memory,
        memoryLimit: batches.byteLimit)
    }
    func failed(_ place: Int, _ error: String) -> [Result] {
      pass.units.map { Result(setting: settings[place].number, unit: $0.number, score: .failed, error: error) }
    }
    if !plan.failures.isEmpty { try take(plan.failures.flatMap { failed($0.setting, $0.sentence) }) }
    let scored = pass.units.map { unit in (unit.number, Set(unit.frames.map { order.number(at: $0) + first })) }
    for mattes in plan.batches {
      let batch = try batches.batch(key, source.order) { () throws(RetakeError) in
        try SweepBatch(
          source, number: pass.recording, mattes, scores: kinds, reading: readings.reading(pass.recording),
          threads: threads, keeps: true, measuresCosts: false, blurs: blurs, note: note)
      }
      defer { batch.finish() }
      // What warms up is scored only where the frame after it is compared with it.
      batch.scored = kinds.contains(where: \.comparesFrames) ? nil : Set(scored.flatMap(\.1))
      while batch.step() != nil { guard goesOn() else { return false } }
      try take(
        try batch.runs().flatMap { run -> [Result] in
          switch run.outcome {
          case .failed(let error): return failed(run.key.setting, error)
          case .scored(let recording):
            return scored.map { unit, numbers in
              Result(
                setting: settings[run.key.setting].number, unit: unit,
                score: sums(recording.frames.filter { numbers.contains($0.number) }))
            }
          }
        })
      batches.keep(batch, key)
    }
    return true
  }

  /// Forgets the batches of the last rung.
  func beginRung() { batches.removeAll() }

  /// Lets go of all but the readings: the finalists' batches need the memory.
  func end() {
    batches.removeAll()
    blurs.removeAll()
  }

  private func source(of pass: Pass, _ order: PlayOrder) -> SweepSource {
    let whole = sources[pass.recording]
    let last = order.number(at: pass.played.upperBound - 1)
    var part = PlayOrder(frames: order.number(at: pass.played.lowerBound)..<last + 1)
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
