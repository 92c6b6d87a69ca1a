internal import BugBundles
internal import FrameModel
internal import RecordingStore
internal import Replay
public import RetakeReader
internal import Scores
internal import Support
internal import Sweeps

/// Tries many values of parameters over recordings, and scores each.
///
///     var sweep = Sweep([recording], from: try Parameters(preset: "desk"))
///     sweep.values["matte.blur"] = ["1", "2", "4"]
///     let best = try sweep.run(results: "blur.sqlite").best("iou")
public struct Sweep: Sendable {
  public var recordings: [RetakeReader.Recording]
  /// What is not varied.
  public var base: Parameters
  /// The values to try, by parameter; every combination is a setting. Those of stages of the caller's
  /// too: "mask.kind", "mask.NAME.threshold".
  public var values: [String: [String]] = [:]
  /// Names of scores; nil for the standard ones, which `retake sweep` computes.
  public var scores: [String]?
  /// Numbers of the frame sets to play; nil for all.
  public var frames: Range<Int>?
  /// Plays every n-th frame set.
  public var every = 1
  /// Folder of true mattes as PNG, for scores that need the truth; nil for the recording's own alpha.
  public var truth: String?
  /// Affects the speed only; nil for one thread per processor.
  public var threads: Int?

  public init(_ recordings: [RetakeReader.Recording], from base: Parameters) {
    (self.recordings, self.base) = (recordings, base)
  }

  /// Names of all scores, in the order of tables.
  public static var scoreNames: [String] { ScoreKind.allCases.map(\.name) }

  /// Runs what is left to do, and keeps each finished run in the file.
  /// - Parameters:
  ///   - path: an SQLite file that is created, or continued if it has the same sweep. `retake sweep
  ///     report` makes a page of it; its pictures need the caller's stages and are left out then.
  ///   - progress: called with the played frames and their total; false stops.
  /// - Throws: `usage` for an unknown parameter, value or score, or for a file of another sweep;
  ///   `unsupported` for a recording without colour or without the frames. A setting that fails is
  ///   in the results.
  public func run(
    results path: String, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(RetakeReader.RetakeError) -> SweepResults {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      let job = try plan().job { path throws(InsideError) in
        guard let recording = recordings.first(where: { $0.path == path }) else {
          throw InsideError(.notFound, "There is no recording \(path).")
        }
        return recording.store
      }
      let file = try SweepResultsFile.openOrCreate(path, try job.identity())
      let runner = SweepRunner(job, into: file, threadCount: threadCount(threads), memoryLimit: Self.memoryLimit)
      let outcome = try runner.run { progress($0.doneFrameCount, $0.frameCount) }
      guard outcome.isWhole else {
        throw InsideError(
          .inputOutput, "The sweep was stopped: \(outcome.leftRunCount) runs are left.",
          hint: "run it again with \(path) to continue it")
      }
      return SweepResults(file.identity, try file.summaries())
    }
  }

  /// Scores the base alone, over all recordings, without a file.
  /// - Returns: the mean of each score that the recordings can have.
  /// - Throws: as `run`, and the sentence of a setting that failed.
  public func score() throws(RetakeReader.RetakeError) -> [String: Double] {
    var sweep = self
    sweep.values = [:]
    let scratch = try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      try ScratchFolder(named: "retake-score")
    }
    defer { withExtendedLifetime(scratch) {} }
    let setting = try sweep.run(results: scratch.path("score.sqlite")).settings[0]
    if let failure = setting.failure { throw RetakeReader.RetakeError(.unsupported, failure) }
    return setting.scores
  }

  /// Bytes that a batch of settings may use.
  private static let memoryLimit = 1 << 30

  private func plan() throws(InsideError) -> SweepPlan {
    guard !recordings.isEmpty else {
      throw InsideError(.usage, "The sweep has no recording.", hint: "give at least one")
    }
    var definition = SweepDefinition()
    // Sorted, so that settings have the same numbers each time.
    for (name, values) in values.sorted(by: { $0.key < $1.key }) {
      guard let declaration = base.values.declarations.first(where: { $0.name == name }) else {
        var probe = base.values
        try probe.set(name, to: values.first ?? "")
        continue
      }
      guard !values.isEmpty else {
        throw InsideError(.usage, "The sweep has no value of \(name).", hint: "give at least one, or leave it out")
      }
      definition.terms.append(try SweepTerm(.list, values, of: declaration))
    }
    let kinds = try scores.map { names throws(InsideError) in
      let wanted = try Set(names.map { name throws(InsideError) in try ScoreKind.named(name) })
      return ScoreKind.allCases.filter(wanted.contains)
    }
    var span = MomentSpan()
    if let frames {
      guard !frames.isEmpty else {
        throw InsideError(.usage, "The sweep plays no frames.", hint: "give a longer range")
      }
      span = MomentSpan(from: .frameSet(frames.lowerBound), to: .frameSet(frames.upperBound - 1))
    }
    return try SweepPlan(
      recordings: recordings.map(\.path), preset: base.preset, base: base.values, definition: definition,
      scores: kinds ?? ScoreKind.standard, truth: truth, span: span, every: max(1, every))
  }
}
