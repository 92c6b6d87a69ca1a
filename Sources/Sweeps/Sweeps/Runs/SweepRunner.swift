import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Scores
import Support

/// Runs a sweep's settings over its recordings and writes the scores.
///
/// Results do not depend on threads, memory, shards, order or interruptions.
package final class SweepRunner {
  private let job: SweepJob
  private let file: SweepResultsFile?
  private let shard: SweepShard?
  private let threadCount: Int
  private let memoryLimit: Int
  private let batchSeconds: Double?
  private let readings: SharedReadings?
  private let note: (String) -> Void
  private let written: ([SettingRun]) -> Void

  /// - Parameters:
  ///   - file: created with the job's identity; nil if only a forecast is wanted.
  ///   - shard: nil for all settings.
  ///   - threadCount: affects speed only, as does `memoryLimit`.
  ///   - memoryLimit: estimated bytes that a batch may use; a batch has at least one setting.
  ///   - batchSeconds: how long a batch, whose work an interruption loses, may take (see `BatchPace`); nil for any time.
  ///     Affects only the speed.
  ///   - readings: of a search over the same recordings, which have its frames; nil for the sweep's own.
  ///   - note: called with messages for the user, one sentence each.
  ///   - written: called with the runs of each batch once they are in the file.
  package init(
    _ job: SweepJob, into file: SweepResultsFile?, shard: SweepShard? = nil, threadCount: Int, memoryLimit: Int,
    batchSeconds: Double? = nil, readings: SharedReadings? = nil, note: @escaping (String) -> Void = { _ in },
    written: @escaping ([SettingRun]) -> Void = { _ in }
  ) {
    (self.job, self.file, self.shard, self.memoryLimit) = (job, file, shard, memoryLimit)
    (self.threadCount, self.batchSeconds) = (max(1, threadCount), batchSeconds)
    self.readings = readings
    (self.note, self.written) = (note, written)
  }

  /// Byte limit of cached frames that late depth and look-ahead need again; others are decoded
  /// again.
  private var idleByteLimit: Int { readings?.byteLimit ?? min(memoryLimit / 8, 256 << 20) }

  /// Bytes that scoring one setting may use even if `memoryLimit` is smaller.
  private static let usualByteCount = 8 << 30

  /// The shard's settings by recording; nil for all.
  private func part(_ identity: SweepIdentity) throws(RetakeError) -> [[Int]]? {
    guard let shard else { return nil }
    return try SweepParts(job.settings, identity, count: shard.count).settings(ofPart: shard.number)
  }

  private struct Task {
    let number: Int
    let source: SweepSource
    let scores: Set<ScoreKind>
    let frameCount: Int
    let settings: [Int]
    let plan: BatchPlan
  }

  private func tasks(_ identity: SweepIdentity) throws(RetakeError) -> [Task] {
    let finished = try file?.finishedRuns() ?? []
    let part = try part(identity)
    var tasks: [Task] = []
    for (number, source) in job.sources.enumerated() {
      let left = (part?[number] ?? Array(job.settings.indices)).filter {
        !finished.contains(RunKey(setting: $0, recording: number))
      }
      guard !left.isEmpty else { continue }
      let scores = Set(identity.scores).subtracting(identity.recordings[number].absences.map(\.score))
      let frameCount = try source.playedOrder().countOfOnePass
      let memory = SweepMemory(source.recording, scores: scores, frameCount: frameCount, threadCount: threadCount)
      guard memory.leastByteCount <= max(memoryLimit, Self.usualByteCount) else {
        throw RetakeError(
          .unsupported,
          "Scoring the pictures of \(source.path) needs about \(memory.leastByteCount >> 20) MiB of memory.",
          hint: "give more with --memory, or leave it out")
      }
      let plan = try BatchPlan(
        left, of: job.settings, measuresLag: scores.contains(.lag), memory: memory,
        memoryLimit: memoryLimit - idleByteLimit)
      tasks.append(
        Task(number: number, source: source, scores: scores, frameCount: frameCount, settings: left, plan: plan))
    }
    return tasks
  }

  /// The identity stored in the file; without a file, the job's.
  private func identity() throws(RetakeError) -> SweepIdentity {
    guard let file else { return try job.identity() }
    let identity = file.identity
    let ids = try job.sources.map { source throws(RetakeError) in try source.recording.sweepID() }
    guard identity.settings.count == job.settings.count, identity.recordings.map(\.id) == ids
    else {
      throw RetakeError(.usage, "\(file.path) has the results of another sweep.", hint: "choose another file")
    }
    return identity
  }

  /// Estimates the remaining work. Writes nothing.
  /// - Throws: `.usage` for a file of another sweep; errors that prevent playing a recording.
  package func forecast() throws(RetakeError) -> SweepForecast {
    let identity = try identity()
    let tasks = try tasks(identity)
    let part = try part(identity) ?? job.sources.map { _ in Array(job.settings.indices) }
    var forecast = SweepForecast(
      settingCount: Set(part.joined()).count, recordingCount: part.count { !$0.isEmpty },
      runCount: part.reduce(0) { $0 + $1.count }, leftRunCount: 0, failingRunCount: 0,
      stages: StageCounts(), batchCount: 0, byteCount: 0,
      seconds: nil)
    for task in tasks {
      forecast.leftRunCount += task.settings.count
      forecast.failingRunCount += task.plan.failures.count
      forecast.batchCount += task.plan.batches.count
      forecast.byteCount = max(forecast.byteCount, task.plan.byteCount)
      forecast.stages += task.plan.stageCounts(hasDepth: task.source.recording.firstStream(.depth) != nil)
      let seconds = try ForecastTimer.seconds(task.plan, frameCount: task.frameCount) { mattes throws(RetakeError) in
        try batch(
          mattes, of: task, reading(task), BandRunner(threadCount: threadCount), keeps: false, note: { _ in })
      }
      forecast.seconds = (forecast.seconds ?? 0) + seconds
    }
    return forecast
  }

  /// Runs the remaining settings and writes their results.
  /// - Parameter progress: called after each frame; false ends the sweep, to be continued later.
  /// - Throws: `.usage` without a file, or with one of another sweep; `.inputOutput` where reading
  ///   or writing failed. Finished runs stay in the file.
  package func run(_ progress: (SweepProgress) -> Bool = { _ in true }) throws(RetakeError) -> SweepOutcome {
    guard let file else {
      throw RetakeError(.usage, "There is no file to write results to.", hint: "give a results file")
    }
    let tasks = try tasks(try identity())
    let threads = BandRunner(threadCount: threadCount)
    var account = SweepAccount(
      runCount: tasks.reduce(0) { $0 + $1.settings.count },
      frameCount: tasks.reduce(0) { $0 + $1.settings.count * $1.frameCount })
    for task in tasks {
      let failed = task.plan.failures.map { setting, sentence in
        SettingRun(key: RunKey(setting: setting, recording: task.number), outcome: .failed(sentence), cost: nil)
      }
      if !failed.isEmpty {
        try file.write(failed)
        written(failed)
      }
      account.add(failed, frameCount: task.frameCount)
      var pace = batchSeconds.map { BatchPace(limit: $0, frameCount: task.frameCount) }
      for planned in task.plan.batches {
        var left = planned[...]
        while !left.isEmpty {
          let mattes = Array(left.prefix(pace?.matteLimit ?? planned.count))
          let reading = try reading(task)
          let before = reading.decoded.decodedCount
          let batch = try batch(mattes, of: task, reading, threads, keeps: true, note: note)
          let end = try play(batch, mattes, account, &pace, progress)
          account.outcome.decodedFrameCount += reading.decoded.decodedCount - before
          switch end {
          case .stopped: return account.outcome
          case .givenUp: continue
          case .done(let runs):
            try file.write(runs)
            written(runs)
            account.add(runs, frameCount: task.frameCount)
            left.removeFirst(mattes.count)
          }
          // Progress is reported after the last batch too, but its answer does not matter then.
          var state = account.progress
          state.isBatchEnd = true
          guard progress(state) || account.outcome.isWhole else { return account.outcome }
        }
      }
    }
    return account.outcome
  }

  private enum BatchEnd {
    case done([SettingRun])
    /// For a batch of another size.
    case givenUp
    case stopped
  }

  private func play(
    _ batch: SweepBatch, _ mattes: [DistinctMatte], _ account: SweepAccount, _ pace: inout BatchPace?,
    _ progress: (SweepProgress) -> Bool
  ) throws(RetakeError) -> BatchEnd {
    defer { batch.finish() }
    let settingCount = mattes.reduce(0) { $0 + $1.settings.count }
    var state = account.progress
    var timer: ForecastTimer.Frames?
    while batch.step() != nil {
      state.doneFrameCount = min(state.doneFrameCount + settingCount, state.frameCount)
      guard progress(state) else { return .stopped }
      guard pace != nil else { continue }
      // Not timed: the first frame, see `ForecastTimer`.
      guard timer != nil else {
        timer = ForecastTimer.Frames()
        continue
      }
      timer?.add()
      guard let timer, pace?.canJudge(frameCount: timer.count, seconds: timer.seconds) == true else { continue }
      let accepts = pace?.accepts(matteCount: mattes.count, secondsPerFrame: timer.seconds / Double(timer.count))
      if accepts == false { return .givenUp }
    }
    return .done(try batch.runs())
  }

  private func reading(_ task: Task) throws(RetakeError) -> SharedReading {
    if let readings { return try readings.reading(task.number) }
    return try SharedReading(task.source, threadCount: threadCount, idleByteLimit: idleByteLimit)
  }

  private func batch(
    _ mattes: [DistinctMatte], of task: Task, _ reading: SharedReading, _ threads: BandRunner, keeps: Bool,
    note: @escaping (String) -> Void
  ) throws(RetakeError) -> SweepBatch {
    try SweepBatch(
      task.source, number: task.number, mattes, scores: task.scores, reading: reading, threads: threads, keeps: keeps,
      note: note)
  }
}
