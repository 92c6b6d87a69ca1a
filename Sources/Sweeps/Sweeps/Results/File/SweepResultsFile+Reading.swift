import GRDB
import Scores
import Support

extension SweepResultsFile {
  /// Runs that need not be computed again.
  package func finishedRuns() throws(RetakeError) -> Set<RunKey> {
    let identity = identity
    return try database.read { database in
      var keys: Set<RunKey> = []
      let rows = try Row.fetchCursor(database, sql: "SELECT setting, recording FROM run ORDER BY setting, recording")
      var previous: RunKey?
      while let row = try rows.next() {
        let key = try ResultsDatabase.key(row, identity, after: previous)
        keys.insert(key)
        previous = key
      }
      return keys
    }
  }

  package func summaries() throws(RetakeError) -> [RunSummary] {
    let identity = identity
    return try database.read { try ResultsDatabase.summaries(identity, "", [], $0) }
  }

  /// In the order in which they were played; none for a run that failed or is not finished.
  package func frames(_ key: RunKey) throws(RetakeError) -> [ScoredFrame] {
    let identity = identity
    return try database.read { try ResultsDatabase.frames(key, identity, $0) }
  }

  /// Nil for a run that is not finished.
  package func run(_ key: RunKey) throws(RetakeError) -> SettingRun? {
    let identity = identity
    return try database.read { try ResultsDatabase.run(key, identity, $0) }
  }
}

extension ResultsDatabase {
  static func run(_ key: RunKey, _ identity: SweepIdentity, _ database: Database) throws -> SettingRun? {
    let summaries = try summaries(
      identity, "WHERE run.setting = ? AND run.recording = ?", [key.setting, key.recording], database)
    guard let summary = summaries.first else { return nil }
    switch summary.outcome {
    case .failed(let error): return SettingRun(key: key, outcome: .failed(error), cost: summary.cost)
    case .scored(let row):
      let frames = try frames(key, identity, database)
      guard frames.count == summary.frameCount, frames.count(where: { !$0.hasMatte }) == summary.missingCount else {
        throw ImpossibleRow(what: "a run's number of frames differs from the stated one")
      }
      return SettingRun(key: key, outcome: .scored(ScoredRecording(frames: frames, summary: row)), cost: summary.cost)
    }
  }

  /// Requires rising keys, so that a damaged file cannot return the same rows forever.
  static func key(_ row: Row, _ identity: SweepIdentity, after previous: RunKey?) throws -> RunKey {
    let key = RunKey(
      setting: try row.integer(0, in: 0...identity.settings.count - 1),
      recording: try row.integer(1, in: 0...identity.recordings.count - 1))
    guard previous.map({ $0 < key }) ?? true else { throw ImpossibleRow(what: "runs are out of order") }
    return key
  }

  static func summaries(
    _ identity: SweepIdentity, _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [RunSummary] {
    let columns = identity.scores.map { ", summary.\(ResultsSchema.quoted($0.name))" }.joined()
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT run.setting, run.recording, run.state, run.error, run.frame_count, run.missing_count, cost.setting,
          cost.color_ns, cost.depth_ns, cost.mask_ns, cost.matte_ns, summary.setting\(columns)
        FROM run
        LEFT JOIN summary ON summary.setting = run.setting AND summary.recording = run.recording
        LEFT JOIN cost ON cost.setting = run.setting AND cost.recording = run.recording
        \(condition) ORDER BY run.setting, run.recording
        """, arguments: arguments)
    var summaries: [RunSummary] = []
    while let row = try rows.next() {
      let key = try key(row, identity, after: summaries.last?.key)
      let frameCount = try row.integer(4, in: 0...SweepLimits.frames)
      var cost: StageCost?
      if try row.optionalInteger(6, in: 0...SweepLimits.settings) != nil {
        cost = StageCost(
          color: try row.real(7), depth: try row.real(8), mask: try row.real(9), matte: try row.real(10))
      }
      var outcome = RunSummary.Outcome.failed(try row.optionalText(3) ?? "")
      if try isScored(row, state: 2) {
        _ = try row.integer(11, in: key.setting...key.setting)
        outcome = .scored(try scores(row, from: 12, identity))
      }
      summaries.append(
        RunSummary(
          key: key, outcome: outcome, frameCount: frameCount, missingCount: try row.integer(5, in: 0...frameCount),
          cost: cost))
    }
    return summaries
  }

  static func frames(_ key: RunKey, _ identity: SweepIdentity, _ database: Database) throws -> [ScoredFrame] {
    let columns = identity.scores.map { ", \(ResultsSchema.quoted($0.name))" }.joined()
    let statement = try database.cachedStatement(
      sql: """
        SELECT position, frame, has_matte\(columns) FROM frame_score WHERE setting = ? AND recording = ? ORDER BY position
        """)
    let rows = try Row.fetchCursor(statement, arguments: [key.setting, key.recording])
    var frames: [ScoredFrame] = []
    while let row = try rows.next() {
      _ = try row.integer(0, in: frames.count...frames.count)
      frames.append(
        ScoredFrame(
          number: try row.integer(1, in: 0...SweepLimits.frames), hasMatte: try row.integer(2, in: 0...1) == 1,
          scores: try scores(row, from: 3, identity)))
    }
    return frames
  }

  private static func scores(_ row: Row, from first: Int, _ identity: SweepIdentity) throws -> ScoreRow {
    var scores = ScoreRow()
    for (place, kind) in identity.scores.enumerated() { scores[kind] = try row.optionalReal(first + place) }
    return scores
  }
}
