import FrameModel
import GRDB
import Scores
import Support

/// What a search has scored so far, in tables of the results file (see ResultsFile.md). While the
/// search runs, the file has no other tables; the results of the finalists are added at the end.
package final class SearchLedger: CopiedResults {
  package let path: String
  let database: ResultsDatabase
  private let lock: ResultsLock
  private let axes: [SearchSpace.Axis]
  private let goal: SearchGoal
  private let units: [SearchUnit]
  private var isClosed = false
  /// Points of the settings in the file, by number; empty for those that are not in it.
  private(set) var points: [SearchLattice.Point] = []
  private(set) var known: [Key: SearchScore] = [:]
  /// What is not in the file yet: a transaction for each batch takes longer than scoring a small one.
  private var pending: (parts: [SearchRung.Part], results: [SearchScorer.Result]) = ([], [])
  private var lastWrite = MonotonicTime.now()
  /// What a kill may cost.
  private static let delayNanoseconds: Int64 = 500_000_000

  struct Key: Hashable {
    var setting: Int
    var unit: Int
  }

  /// Opens or creates the file of a search.
  /// - Parameters:
  ///   - digest: of everything that the search depends on.
  ///   - words: the command line, for people.
  /// - Throws: `.usage` for a file of another sweep or search; `.inputOutput` while another sweep
  ///   writes to it.
  package static func openOrCreate(
    _ path: String, digest: String, words: String, space: SearchSpace, problem: SearchMachine.Problem,
    frames: (SearchUnit) -> (scored: Range<Int>, played: Range<Int>)
  ) throws(RetakeError) -> SearchLedger {
    let lock = try ResultsLock.createOrTakeEmpty(path)
    do throws(RetakeError) {
      let database = try ResultsDatabase.open(path, isReadOnly: false)
      if try database.isVoid() {
        try database.write { try Self.makeTables(digest, words, space, problem, frames, $0) }
      } else {
        try check(database, digest)
      }
      // Each of the many small transactions holds little work, which a power cut may cost.
      try database.prepareToWrite(isDurable: false)
      let ledger = SearchLedger(database, lock, space, problem)
      try ledger.load()
      return ledger
    } catch {
      lock.release()
      throw error
    }
  }

  private init(
    _ database: ResultsDatabase, _ lock: ResultsLock, _ space: SearchSpace, _ problem: SearchMachine.Problem
  ) {
    (path, self.database, self.lock) = (database.path, database, lock)
    (axes, goal, units) = (space.axes, problem.goal, problem.units)
  }

  package func score(_ setting: Int, _ unit: Int) -> SearchScore? { known[Key(setting: setting, unit: unit)] }

  /// Adds settings that are not in the file.
  package func add(_ parts: [SearchRung.Part]) throws(RetakeError) {
    var new: [SearchRung.Part] = []
    for part in parts {
      // Settings that were moved to, but not scored, have numbers and no values in the file yet.
      if part.setting < points.count, !points[part.setting].isEmpty {
        guard points[part.setting] == part.point else {
          throw ResultsDatabase.damaged(path, "setting \(part.setting) of its search has other values")
        }
      } else {
        new.append(part)
      }
    }
    guard !new.isEmpty else { return }
    new.sort { $0.setting < $1.setting }
    pending.parts += new
    for part in new {
      while points.count <= part.setting { points.append([]) }
      points[part.setting] = part.point
    }
  }

  /// Adds results, which survive a kill half a second later.
  package func write(_ results: [SearchScorer.Result]) throws(RetakeError) {
    pending.results += results
    for result in results { known[Key(setting: result.setting, unit: result.unit)] = result.score }
    let now = MonotonicTime.now()
    if now.nanoseconds - lastWrite.nanoseconds >= Self.delayNanoseconds { try flush() }
  }

  /// Writes everything that was added in one transaction.
  package func flush() throws(RetakeError) {
    lastWrite = MonotonicTime.now()
    let (parts, results) = pending
    guard !parts.isEmpty || !results.isEmpty else { return }
    try database.write { database in
      let statement = try database.cachedStatement(sql: "INSERT INTO search_value VALUES (?, ?, ?)")
      for part in parts {
        for (axis, level) in zip(self.axes, part.point) {
          try statement.execute(arguments: [part.setting, axis.name, axis.levels[level]])
        }
      }
      let scores = try database.cachedStatement(sql: "INSERT INTO search_score VALUES (?, ?, ?, ?, ?)")
      let failures = try database.cachedStatement(sql: "INSERT INTO search_failure VALUES (?, ?, ?)")
      for result in results {
        switch result.score {
        case .failed:
          try failures.execute(
            arguments: [result.setting, result.unit, SweepIdentity.storable(result.error ?? "")])
        case .scored(let sums):
          for (kind, sum) in zip(self.goal.scores, sums) {
            try scores.execute(arguments: [result.setting, result.unit, kind.name, sum.count, sum.total])
          }
        }
      }
    }
    pending = ([], [])
  }

  /// Idempotent.
  package func close() throws(RetakeError) {
    guard !isClosed else { return }
    isClosed = true
    // Only after SQLite has closed the file: closing the lock's descriptor ends SQLite's own locks.
    defer { lock.release() }
    let written: Result<Void, RetakeError>
    do throws(RetakeError) { written = .success(try flush()) } catch { written = .failure(error) }
    try database.close(isWriter: true)
    try written.get()
  }

  deinit { try? close() }
}

extension SearchLedger {
  private static let formatVersion = 1
  /// Of settings that a search may touch.
  static let settingLimit = 1 << 24

  private static let tables = [
    "CREATE TABLE search (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE search_unit (number INTEGER PRIMARY KEY, recording INTEGER NOT NULL, first_frame INTEGER NOT NULL,
    end_frame INTEGER NOT NULL, first_played INTEGER NOT NULL, end_played INTEGER NOT NULL, is_whole INTEGER NOT NULL)
    """,
    """
    CREATE TABLE search_value (setting INTEGER NOT NULL, parameter TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (setting, parameter)) WITHOUT ROWID
    """,
    """
    CREATE TABLE search_score (setting INTEGER NOT NULL, unit INTEGER NOT NULL, score TEXT NOT NULL,
    frames INTEGER NOT NULL, total REAL NOT NULL, PRIMARY KEY (setting, unit, score)) WITHOUT ROWID
    """,
    """
    CREATE TABLE search_failure (setting INTEGER NOT NULL, unit INTEGER NOT NULL, error TEXT NOT NULL,
    PRIMARY KEY (setting, unit)) WITHOUT ROWID
    """,
    """
    CREATE VIEW search_result AS SELECT search_score.setting AS setting, search_unit.recording AS recording,
    search_unit.is_whole AS is_whole, search_score.score AS score, sum(search_score.frames) AS frames,
    sum(search_score.total) / nullif(sum(search_score.frames), 0) AS mean
    FROM search_score JOIN search_unit ON search_unit.number = search_score.unit
    GROUP BY search_score.setting, search_unit.recording, search_unit.is_whole, search_score.score
    """,
  ]

  private static func makeTables(
    _ digest: String, _ words: String, _ space: SearchSpace, _ problem: SearchMachine.Problem,
    _ frames: (SearchUnit) -> (scored: Range<Int>, played: Range<Int>), _ database: Database
  ) throws {
    for table in tables { try database.execute(sql: table) }
    let values = [
      ("format_version", "\(formatVersion)"), ("digest", digest), ("words", words), ("budget", "\(problem.budget)"),
      ("seed", "\(problem.seed)"),
    ]
    for (name, value) in values {
      try database.execute(sql: "INSERT INTO search VALUES (?, ?)", arguments: [name, value])
    }
    let statement = try database.makeStatement(sql: "INSERT INTO search_unit VALUES (?, ?, ?, ?, ?, ?, ?)")
    let recordings = Dictionary(grouping: problem.units, by: \.recording).mapValues { units in
      let all = units.map { frames($0).scored }
      return (all.map(\.lowerBound).min() ?? 0)..<(all.map(\.upperBound).max() ?? 0)
    }
    // The second half are the same frames, when all of the recording is played.
    for number in 0..<2 * problem.units.count {
      let unit = problem.units[number % problem.units.count]
      var (scored, played) = frames(unit)
      let isWhole = number >= problem.units.count
      if isWhole { played = recordings[unit.recording] ?? played }
      try statement.execute(arguments: [
        number, unit.recording, scored.lowerBound, scored.upperBound, played.lowerBound, played.upperBound,
        isWhole ? 1 : 0,
      ])
    }
  }

  /// Whether the file has the tables of a search, word for word: see `ResultsDatabase.checkedIdentity`.
  /// - Throws: `.corrupt` for tables that were changed.
  static func hasTables(_ database: ResultsDatabase) throws(RetakeError) -> Bool {
    let found = try database.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT sql FROM sqlite_schema WHERE name GLOB 'search*' LIMIT 100")
      var found: [String] = []
      while let row = try rows.next() { found.append(try row.optionalText(0) ?? "") }
      return found
    }
    guard !found.isEmpty else { return false }
    guard found.count == tables.count, Set(found) == Set(tables) else {
      throw ResultsDatabase.damaged(
        database.path, "the tables of its search were changed, or are of another version of Retake")
    }
    return true
  }

  static func has(digest: String, in path: String) -> Bool {
    guard let database = try? ResultsDatabase.openToRead(path) else { return false }
    defer { try? database.close(isWriter: false) }
    return (try? check(database, digest)) != nil
  }

  private static func check(_ database: ResultsDatabase, _ digest: String) throws(RetakeError) {
    let path = database.path
    guard try hasTables(database) else {
      throw RetakeError(
        .usage, "\(path) has the results of a sweep, not of a search.", hint: "choose another file with -o")
    }
    let stored = try database.read { database in
      try String.fetchOne(database, sql: "SELECT value FROM search WHERE name = 'digest'")
    }
    guard stored == digest else {
      throw RetakeError(
        .usage, "\(path) has another search: other settings, scores, recordings, budget, seed or version of Retake.",
        hint: "choose another file with -o")
    }
  }

  private func load() throws(RetakeError) {
    let (goal, units, axes) = (goal, units, axes)
    (points, known) = try database.read { database in
      var points: [SearchLattice.Point] = []
      let values = try Row.fetchCursor(
        database, sql: "SELECT setting, parameter, value FROM search_value ORDER BY setting")
      while let row = try values.next() {
        let setting = try row.integer(0, in: 0...Self.settingLimit)
        let (name, value) = (try row.text(1), try row.text(2))
        guard let axis = axes.firstIndex(where: { $0.name == name }),
          let level = axes[axis].levels.firstIndex(of: value)
        else { throw ImpossibleRow(what: "a setting of its search has an unknown value") }
        while points.count <= setting { points.append([]) }
        if points[setting].isEmpty { points[setting] = axes.map { _ in 0 } }
        points[setting][axis] = level
      }
      var sums: [Key: [SearchScore.Sum?]] = [:]
      let scores = try Row.fetchCursor(database, sql: "SELECT setting, unit, score, frames, total FROM search_score")
      while let row = try scores.next() {
        let (key, unit) = try Self.key(row, points, units)
        let name = try row.text(2)
        guard let place = goal.scores.firstIndex(where: { $0.name == name }) else {
          throw ImpossibleRow(what: "its search has the score of another one")
        }
        let sum = SearchScore.Sum(
          total: try row.real(4), count: try row.integer(3, in: 0...unit.frames.count))
        sums[key, default: goal.scores.map { _ in nil }][place] = sum
      }
      var known: [Key: SearchScore] = [:]
      for (key, sums) in sums {
        let whole = sums.compactMap { $0 }
        guard whole.count == goal.scores.count else { throw ImpossibleRow(what: "a score of its search is missing") }
        known[key] = .scored(whole)
      }
      let failures = try Row.fetchCursor(database, sql: "SELECT setting, unit FROM search_failure")
      while let row = try failures.next() { known[try Self.key(row, points, units).key] = .failed }
      return (points, known)
    }
  }

  private static func key(
    _ row: Row, _ points: [SearchLattice.Point], _ units: [SearchUnit]
  ) throws -> (key: Key, unit: SearchUnit) {
    let setting = try row.integer(0, in: 0...max(0, points.count - 1))
    let unit = try row.integer(1, in: 0...2 * units.count - 1)
    guard !points.isEmpty else { throw ImpossibleRow(what: "its search has a score without a setting") }
    return (Key(setting: setting, unit: unit), units[unit % units.count])
  }
}

extension ResultsDatabase {
  /// Whether the file has no tables at all.
  func isVoid() throws(RetakeError) -> Bool {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)") == 0 }
  }
}
