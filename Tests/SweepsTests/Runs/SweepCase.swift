import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Sweeps
import TestSupport
import Testing

/// A sweep over one recording, small enough to be run many times.
struct SweepCase {
  var job: SweepJob
  private let folder: TemporaryFolder

  init(
    _ recording: Recording, settings: [ParameterSet], scores: [ScoreKind] = ScoreKind.allCases,
    order: PlayOrder = .everything, truth: TruthFolder? = nil
  ) throws {
    folder = try TemporaryFolder()
    job = SweepJob(
      preset: "truedepth-backdrop", settings: settings, tried: [], words: "", defaultSetting: nil, scores: scores,
      sources: [SweepSource(recording, path: "a.retake", order: order, truth: truth)])
  }

  /// Every combination of values, the last name's changing fastest.
  static func grid(
    _ dimensions: (name: String, values: [String])..., preset: String = "truedepth-backdrop"
  ) throws -> [ParameterSet] {
    var settings = [try Preset.named(preset).parameters(ReplaySession.declarations)]
    for (name, values) in dimensions {
      settings = try settings.flatMap { setting in
        try values.map { value in
          var other = setting
          try other.set(name, to: value)
          return other
        }
      }
    }
    return settings
  }

  func file(_ name: String = "a") throws -> SweepResultsFile {
    try SweepResultsFile.create(folder.path("\(name).sweep"), try job.identity())
  }

  func path(_ name: String) -> String { folder.path("\(name).sweep") }

  /// Runs all of it into a new file.
  func run(
    _ name: String = "a", shard: SweepShard? = nil, threadCount: Int = 2, memoryLimit: Int = 1 << 30
  ) throws -> (file: SweepResultsFile, outcome: SweepOutcome) {
    let file = try file(name)
    let outcome = try SweepRunner(job, into: file, shard: shard, threadCount: threadCount, memoryLimit: memoryLimit)
      .run()
    return (file, outcome)
  }
}

extension SweepResultsFile {
  /// What a setting came to over the first recording.
  func score(_ setting: Int, _ kind: ScoreKind) throws -> Double? {
    let summary = try #require(try summaries().first { $0.key == RunKey(setting: setting, recording: 0) })
    guard case .scored(let row) = summary.outcome else { return nil }
    return row[kind]
  }

  func failure(_ setting: Int) throws -> String? {
    let summary = try #require(try summaries().first { $0.key == RunKey(setting: setting, recording: 0) })
    guard case .failed(let sentence) = summary.outcome else { return nil }
    return sentence
  }
}
