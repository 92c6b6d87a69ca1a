import FrameModel
import GRDB
import Glibc
import Support

extension ResultsDatabase {
  /// Whether the file has no results; that is so too if its sweep was killed while it created the
  /// tables, and while a search runs, which has only tables of its own.
  func isEmpty() throws(RetakeError) -> Bool {
    try read { database in
      try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema WHERE name NOT GLOB 'search*' LIMIT 1)") == 0
        && Int.fetchOne(database, sql: "PRAGMA application_id") == 0
    }
  }

  static func makeTables(_ identity: SweepIdentity, _ database: Database) throws {
    try database.execute(sql: "PRAGMA application_id = \(ResultsSchema.applicationID)")
    try database.execute(sql: "PRAGMA user_version = \(ResultsSchema.version)")
    for statement in ResultsSchema.fixed(version: ResultsSchema.version) + ResultsSchema(identity).wide {
      try database.execute(sql: statement.sql)
    }
    try insert(identity, database)
  }

  /// Requires this version and the exact definition of each of Retake's tables: a view in place of
  /// a table, or a trigger, could run a stranger's SQL.
  func checkedIdentity() throws(RetakeError) -> SweepIdentity {
    guard try !isEmpty() else {
      guard try isVoid() else {
        throw RetakeError(
          .notFound, "\(path) has a search that has not ended, and no results yet.",
          hint: "run the command of the search again to continue it")
      }
      throw RetakeError(
        .corrupt, "\(path) has no sweep: it is empty.", hint: "start the sweep again with -o \(path)")
    }
    return try read { database in
      let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      guard application == ResultsSchema.applicationID else {
        throw RetakeError(
          .corrupt, "\(path) is a database, but not of sweep results.", hint: "give the file that retake sweep made")
      }
      guard ResultsSchema.readVersions.contains(version) else {
        throw RetakeError(
          .unsupported, "\(path) has version \(version); this Retake reads versions up to \(ResultsSchema.version).",
          hint: "use the version of Retake that wrote it, or a later one")
      }
      try checkLength(database)
      let found = try Self.schema(database)
      try Self.check(ResultsSchema.fixed(version: version), found)
      let identity = try Self.identity(database, version: version)
      do throws(RetakeError) { try identity.check() } catch { throw ImpossibleRow(what: error.message) }
      try Self.check(ResultsSchema(identity, version: version).wide, found)
      guard try String.fetchOne(database, sql: "SELECT digest FROM sweep LIMIT 1") == identity.digest else {
        throw ImpossibleRow(what: "the description of its sweep does not match its digest")
      }
      return identity
    }
  }

  /// Detects a truncated file, whose missing end SQLite would read as zeros, which may be scores.
  private func checkLength(_ database: Database) throws {
    // The missing part may be in the write-ahead log.
    var log = stat()
    if stat(path + "-wal", &log) == 0 && log.st_size > 0 { return }
    var status = stat()
    guard stat(path, &status) == 0, let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size"), pageSize > 0,
      Int(status.st_size) % pageSize == 0
    else { throw ImpossibleRow(what: "its end is missing") }
  }

  /// Other tables and views are allowed, and never read.
  private static func check(_ expected: [ResultsSchema.Statement], _ found: [ResultsSchema.Statement]) throws {
    for statement in expected where !found.contains(statement) {
      throw ImpossibleRow(what: "its \(statement.type) '\(statement.name)' is missing or was changed")
    }
  }

  private static func schema(_ database: Database) throws -> [ResultsSchema.Statement] {
    let limit = 1000
    let rows = try Row.fetchCursor(
      database, sql: "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT \(limit + 1)")
    var found: [ResultsSchema.Statement] = []
    while let row = try rows.next() {
      let statement = ResultsSchema.Statement(
        type: try row.text(0), name: try row.text(1), sql: try row.text(2, limit: SweepLimits.wordsBytes))
      guard ["table", "view"].contains(statement.type) else {
        throw ImpossibleRow(what: "its \(statement.type) '\(statement.name.prefix(40))' was not made by Retake")
      }
      found.append(statement)
    }
    guard found.count <= limit else { throw ImpossibleRow(what: "it has more than \(limit) tables") }
    return found
  }
}
