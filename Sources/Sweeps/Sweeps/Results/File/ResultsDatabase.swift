import FrameModel
import GRDB
import GRDBSQLite
import Glibc
import Support

/// A results file in SQLite. Turns each database error into a `RetakeError` with a next step.
struct ResultsDatabase {
  let path: String
  let queue: DatabaseQueue
  private static let busySeconds = 10.0

  /// - Parameter isReadOnly: changes nothing and needs no `ResultsLock`.
  static func open(_ path: String, isReadOnly: Bool) throws(RetakeError) -> ResultsDatabase {
    try ResultsLock.regularFile(path)
    return try translating(path) {
      var configuration = Configuration()
      configuration.readonly = isReadOnly
      configuration.busyMode = .timeout(busySeconds)
      configuration.prepareDatabase { database in
        // Limits what a stranger's file can make SQLite allocate and run. Must come first.
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(16 << 20))
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
        try database.execute(sql: "PRAGMA trusted_schema = OFF")
        try database.execute(sql: "PRAGMA cell_size_check = ON")
      }
      // SQLite would take a name such as "file:…" for a URI, and ":memory:" for no file at all.
      let location = path.hasPrefix("/") ? path : "./" + path
      let queue = try DatabaseQueue(path: location, configuration: configuration)
      return ResultsDatabase(path: path, queue: queue)
    }
  }

  /// A sweep that was killed early may leave a rollback journal, which only a writer plays back.
  static func openToRead(_ path: String) throws(RetakeError) -> ResultsDatabase {
    do throws(RetakeError) {
      return try open(path, isReadOnly: true)
    } catch  where error.code == .inputOutput {
      _ = try open(path, isReadOnly: false).isEmpty()
      return try open(path, isReadOnly: true)
    }
  }

  /// Lets readers read while it is written. Transactions survive a kill of the process.
  /// - Parameter isDurable: whether each also survives a power cut from when it ends, which takes a flush of the disk.
  func prepareToWrite(isDurable: Bool = true) throws(RetakeError) {
    try Self.translating(path) {
      try queue.writeWithoutTransaction { database in
        try Self.ignoringBusy { _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") }
        try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
      }
    }
  }

  /// - Parameter isWriter: merges the log into the file, unless another process is reading it.
  func close(isWriter: Bool) throws(RetakeError) {
    try Self.translating(path) {
      if isWriter {
        try queue.writeWithoutTransaction { database in
          // A reader may stay for long. Then the log remains, with everything in it.
          try database.execute(sql: "PRAGMA busy_timeout = 200")
          try Self.ignoringBusy { _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") }
        }
      }
      try queue.close()
    }
  }

  /// Writes everything to a new file, which has no write-ahead log.
  func backUp(to target: String) throws(RetakeError) {
    try Self.translating(path) {
      // As in `open`: SQLite would take "file:…" for a URI.
      let copy = try DatabaseQueue(path: target.hasPrefix("/") ? target : "./" + target)
      try queue.backup(to: copy)
      // Its header says that it has a log, as this file has.
      try copy.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      try copy.close()
    }
  }

  private static func ignoringBusy(_ body: () throws -> Void) throws {
    do { try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {}
  }

  func read<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) { try queue.read(body) }
  }

  func write<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) { try queue.write(body) }
  }

  static func damaged(_ path: String, _ why: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) is damaged: \(why).",
      hint: "use an intact copy, or run the sweep again with another file for -o")
  }

  private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(RetakeError) -> Result {
    do {
      return try body()
    } catch let error as RetakeError {
      throw error
    } catch let error as ImpossibleRow {
      throw damaged(path, error.what)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL: throw FileBytes.failure("write", path, errno: ENOSPC)
      case .SQLITE_CANTOPEN: throw FileBytes.databaseFailure(path, isWriting: false)
      case .SQLITE_READONLY, .SQLITE_PERM: throw FileBytes.databaseFailure(path, isWriting: true)
      case .SQLITE_IOERR: throw FileBytes.failure("read or write", path, errno: EIO)
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        throw RetakeError(
          .inputOutput, "\(path) is in use by another program.", hint: "wait until that program is done")
      case .SQLITE_NOTADB:
        throw RetakeError(
          .corrupt, "\(path) is not a file of sweep results: it is not an SQLite database.",
          hint: "give the file that retake sweep made")
      default: throw damaged(path, error.message ?? "unknown database error")
      }
    } catch {
      throw damaged(path, "\(error)")
    }
  }
}
