import GRDB
import Glibc
import Support

/// The tables of a catalogue, and the file that they are in. They hold nothing that cannot be read from
/// the recordings again, so a file that is damaged, or of another version, is made anew.
package enum CatalogueDatabase {
  private static let version = 1
  private static let applicationID = 0x5254_4B43
  private static let busySeconds = 5.0

  private static let tables = """
    CREATE TABLE entry (
      path TEXT NOT NULL UNIQUE, stamp INTEGER NOT NULL, state TEXT NOT NULL, problem TEXT NOT NULL, id TEXT NOT NULL,
      start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, frame_sets INTEGER NOT NULL,
      first_number INTEGER NOT NULL, events INTEGER NOT NULL, drops INTEGER NOT NULL, mark_count INTEGER NOT NULL,
      face_frames INTEGER NOT NULL, byte_count INTEGER NOT NULL, streams TEXT NOT NULL, marks TEXT NOT NULL,
      tags TEXT NOT NULL, note TEXT NOT NULL
    );
    CREATE TABLE tag (
      entry INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (entry, name)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5(name, stream, mark, tag, note);
    """

  /// The user's catalogue: in XDG_CACHE_HOME, or ~/.cache. It is not in the folder of the recordings,
  /// since that may be read-only, shared, or a stranger's. Nil without a home.
  package static var usualPath: String? {
    func folder(_ variable: String) -> String? {
      getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let cache = folder("XDG_CACHE_HOME") ?? folder("HOME").map({ $0 + "/.cache" }) else { return nil }
    return cache + "/retake/catalogue.sqlite"
  }

  /// Opens or makes a catalogue. Where no file can be made, it is in memory.
  static func open(_ path: String?) throws -> DatabaseQueue {
    if let path {
      do { return try opened(path) } catch {
        // One that another process uses, or a disk that is full, is no reason to remove it.
        if isBroken(error) { remove(path) }
      }
      if let queue = try? opened(path) { return queue }
    }
    let queue = try DatabaseQueue()
    try queue.write { try make($0) }
    return queue
  }

  /// Whether an error says that the file is no catalogue that this version can use.
  static func isBroken(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH].contains(error.resultCode)
  }

  static func remove(_ path: String) {
    guard isOurs(path) else { return }
    for suffix in IndexDatabase.fileSuffixes { unlink(path + suffix) }
  }

  /// Whether a file may be replaced: a regular one of this user.
  private static func isOurs(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
  }

  private static func opened(_ path: String) throws -> DatabaseQueue {
    // Names of recordings are as private as the recordings.
    try Folder.make(Folder.withoutTrailingSlash(Folder.parent(of: path)), permissions: 0o700)
    close(try FileBytes.open("create", path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600))
    var configuration = Configuration()
    configuration.busyMode = .timeout(busySeconds)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      // It need not survive a power cut.
      try database.execute(sql: "PRAGMA synchronous = OFF")
      if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      }
    }
    try queue.write { database in
      let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
      if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return try make(database) }
      guard try application == applicationID && Int.fetchOne(database, sql: "PRAGMA user_version") == version else {
        throw DatabaseError(resultCode: .SQLITE_MISMATCH)
      }
    }
    return queue
  }

  private static func make(_ database: Database) throws {
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    try database.execute(sql: "PRAGMA user_version = \(version)")
    try database.execute(sql: tables)
  }
}
