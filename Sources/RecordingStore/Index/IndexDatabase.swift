import FrameModel
import GRDB
import Glibc

/// index.sqlite, opened for one recording. Translates every database error into a sentence with a next step.
struct IndexDatabase: Sendable {
  let path: String
  let queue: DatabaseQueue
  /// How long a writer waits for somebody who looks at the index meanwhile.
  private static let busySeconds = 5.0

  /// Makes a new index.
  static func create(at path: String) throws(RetakeError) -> IndexDatabase {
    try translating(path) {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.busyMode = .timeout(busySeconds)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { database in
        try database.execute(sql: "PRAGMA application_id = \(IndexSchema.applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(IndexSchema.version)")
        try database.execute(sql: IndexSchema.statements)
      }
      return IndexDatabase(path: path, queue: queue)
    }
  }

  /// Opens an index to read.
  ///
  /// A recorder that is done leaves no write-ahead log; such an index is opened as immutable, which works in folders
  /// that nobody may write to. While one is at work, or after one was killed, the log is read too.
  static func open(at path: String) throws(RetakeError) -> IndexDatabase {
    try translating(path) {
      var configuration = Configuration()
      configuration.readonly = true
      let hasLog = access(path + "-wal", F_OK) == 0
      let escaped = path.map { "?#%".contains($0) ? "%" + String($0.asciiValue!, radix: 16) : String($0) }
      // Two slashes and none between: what follows is a path and not a host.
      let prefix = path.hasPrefix("/") ? "file://" : "file:"
      let location = hasLog ? path : prefix + escaped.joined() + "?immutable=1"
      return try checked(DatabaseQueue(path: location, configuration: configuration), path: path)
    }
  }

  /// Opens an index to add to it.
  static func openToWrite(at path: String) throws(RetakeError) -> IndexDatabase {
    try translating(path) {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.busyMode = .timeout(busySeconds)
      guard access(path, F_OK) == 0 else { throw FileBytes.failure("open", path) }
      return try checked(DatabaseQueue(path: path, configuration: configuration), path: path)
    }
  }

  /// - Throws: when the database is not an index that this version reads.
  private static func checked(_ queue: DatabaseQueue, path: String) throws(RetakeError) -> IndexDatabase {
    try translating(path) {
      let (application, version) = try queue.read { database in
        (
          try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
          try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        )
      }
      guard application == IndexSchema.applicationID else {
        throw RetakeError(
          .corrupt, "\(path) is a database, but not the index of a recording.",
          hint: "give the folder that retake record made")
      }
      guard version == IndexSchema.version else {
        throw RetakeError(
          .unsupported, "\(path) has version \(version); this Retake reads version \(IndexSchema.version).",
          hint: version < IndexSchema.version
            ? "'retake recover' makes it again from the chunk files"
            : "use the version of Retake that wrote it, or a later one")
      }
      return IndexDatabase(path: path, queue: queue)
    }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) { try queue.read(body) }
  }

  func write<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) { try queue.write(body) }
  }

  /// Empties the write-ahead log and closes: afterwards the index is one file.
  func close() throws(RetakeError) {
    try Self.translating(path) {
      do {
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Somebody reads: everything is in the log, which they and later readers find beside the index.
      }
      try queue.close()
    }
  }

  private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(RetakeError)
    -> Result
  {
    do {
      return try body()
    } catch let error as RetakeError {
      throw error
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL: throw FileBytes.failure("write", path, errno: ENOSPC)
      case .SQLITE_CANTOPEN:
        throw FileBytes.failure("open", path, errno: access(path, F_OK) == 0 ? EACCES : ENOENT)
      case .SQLITE_READONLY, .SQLITE_PERM: throw FileBytes.failure("write", path, errno: EACCES)
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        throw RetakeError(
          .inputOutput, "\(path) is in use by another program.", hint: "wait until it is done")
      default:
        throw RetakeError(
          .corrupt, "\(path) is damaged: \(error.message ?? "unknown database error").",
          hint: "the frames are safe in the chunk files: 'retake recover' makes the index again")
      }
    } catch {
      throw RetakeError(.corrupt, "\(path) could not be read: \(error).")
    }
  }
}
