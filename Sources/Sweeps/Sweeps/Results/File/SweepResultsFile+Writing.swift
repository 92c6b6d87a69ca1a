import GRDB
import Scores
import Support

extension SweepResultsFile {
  /// Writes a run in one transaction, which is on the disk when this returns.
  /// - Throws: `.usage` for a run that is in the file or not of this sweep; disk errors.
  package func write(_ run: SettingRun) throws(RetakeError) { try write([run]) }

  /// In one transaction: all of them or none.
  package func write(_ runs: [SettingRun]) throws(RetakeError) {
    guard isWriter else {
      throw RetakeError(.inputOutput, "\(path) was opened for reading only.")
    }
    for run in runs { try check(run) }
    try database.write { try ResultsDatabase.insert(runs, self.identity, self.path, $0) }
  }

  private func check(_ run: SettingRun) throws(RetakeError) {
    guard identity.has(run.key) else { throw Self.failure(run.key, path, "does not belong to this sweep") }
    let unwanted = ScoreKind.allCases.filter { !identity.scores.contains($0) }
    func isPossible(_ row: ScoreRow) -> Bool {
      identity.scores.allSatisfy { row[$0].map(SweepLimits.holds) ?? true } && unwanted.allSatisfy { row[$0] == nil }
    }
    switch run.outcome {
    case .scored(let recording):
      guard isPossible(recording.summary), recording.frames.allSatisfy({ isPossible($0.scores) }) else {
        throw Self.failure(run.key, path, "has a score that is out of range, or that was not requested")
      }
      guard recording.frames.allSatisfy({ (0...SweepLimits.frames).contains($0.number) }) else {
        throw Self.failure(run.key, path, "has an invalid frame number")
      }
    case .failed: break
    }
    if let cost = run.cost, ![cost.color, cost.depth, cost.mask, cost.matte].allSatisfy(SweepLimits.holds) {
      throw Self.failure(run.key, path, "has a cost that is out of range")
    }
  }

  static func failure(_ key: RunKey, _ path: String, _ what: String) -> RetakeError {
    RetakeError(
      .usage,
      "The run of setting \(key.setting) over recording \(key.recording) \(what), so it was not written to \(path)."
    )
  }
}

extension ResultsDatabase {
  fileprivate static let scored = "scored"
  fileprivate static let failed = "failed"

  static func insert(_ runs: [SettingRun], _ identity: SweepIdentity, _ path: String, _ database: Database) throws {
    let existing = try database.cachedStatement(sql: "SELECT 1 FROM run WHERE setting = ? AND recording = ?")
    let heads = try database.cachedStatement(sql: "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?)")
    let costs = try database.cachedStatement(sql: "INSERT INTO cost VALUES (?, ?, ?, ?, ?, ?)")
    for run in runs {
      let (setting, recording) = (run.key.setting, run.key.recording)
      guard try Int.fetchOne(existing, arguments: [setting, recording]) == nil else {
        throw SweepResultsFile.failure(run.key, path, "is already finished")
      }
      switch run.outcome {
      case .failed(let error):
        let text = SweepIdentity.storable(error)
        try heads.execute(arguments: [setting, recording, failed, text, 0, 0])
      case .scored(let scores):
        let missing = scores.frames.count { !$0.hasMatte }
        try heads.execute(arguments: [setting, recording, scored, nil, scores.frames.count, missing])
        try insert(scores, run.key, identity, database)
      }
      if let cost = run.cost {
        try costs.execute(arguments: [setting, recording, cost.color, cost.depth, cost.mask, cost.matte])
      }
    }
  }

  private static func insert(
    _ scores: ScoredRecording, _ key: RunKey, _ identity: SweepIdentity, _ database: Database
  ) throws {
    func marks(_ count: Int) -> String {
      [String](repeating: "?", count: count + identity.scores.count).joined(separator: ", ")
    }
    // Up to a million rows: bind `DatabaseValue`s, which need no boxes.
    func values(_ row: ScoreRow) -> [DatabaseValue] { identity.scores.map { row[$0]?.databaseValue ?? .null } }
    func numbers(_ numbers: [Int]) -> [DatabaseValue] { numbers.map(\.databaseValue) }
    let summaries = try database.cachedStatement(sql: "INSERT INTO summary VALUES (\(marks(2)))")
    try summaries.execute(
      arguments: StatementArguments(numbers([key.setting, key.recording]) + values(scores.summary)))
    let frames = try database.cachedStatement(sql: "INSERT INTO frame_score VALUES (\(marks(5)))")
    for (position, frame) in scores.frames.enumerated() {
      let head = numbers([key.setting, key.recording, position, frame.number, frame.hasMatte ? 1 : 0])
      frames.setUncheckedArguments(StatementArguments(head + values(frame.scores)))
      try frames.execute()
    }
  }

  /// - Throws: `ImpossibleRow` for a state that no sweep writes.
  static func isScored(_ row: Row, state: Int) throws -> Bool {
    switch try row.text(state) {
    case scored: true
    case failed: false
    default: throw ImpossibleRow(what: "a run is neither scored nor failed")
    }
  }
}

extension SweepIdentity {
  /// A shortened text without zero bytes, at which SQLite would end it.
  static func storable(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(SweepLimits.textBytes / 4).map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
