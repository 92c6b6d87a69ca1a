import ChunkFormat
import FrameModel
import GRDB
import Glibc
import Support

/// An open index.sqlite of one recording. Turns database errors into `RetakeError`.
///
/// An index may come from an untrusted source. It is opened only if its tables are exactly those
/// that Retake creates, and `QueryBudget` limits the memory and time that SQLite may spend on it.
package struct IndexDatabase: Sendable {
  let path: String
  package let queue: DatabaseQueue
  private let budget: QueryBudget
  private static let busySeconds = 5.0
  static let fileSuffixes = ["", "-wal", "-shm"]

  package static func create(at path: String) throws(RetakeError) -> IndexDatabase {
    try RecordingPermissions.makeDatabase(path)
    return try translating(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(busySeconds)
      // Not flushed, so that the first frame need not wait for the disk. After a power cut an
      // incomplete index is rebuilt. GRDB's own switch to write-ahead logging would flush.
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA synchronous = OFF")
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      }
      let index = try make(queue, path)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      return index
    }
  }

  static func temporary() throws(RetakeError) -> IndexDatabase {
    // An empty path makes SQLite create and remove a temporary file.
    try translating("a temporary index") { try make(DatabaseQueue(path: ""), "a temporary index") }
  }

  private static func make(_ queue: DatabaseQueue, _ path: String) throws -> IndexDatabase {
    try queue.write { database in
      try database.execute(sql: "PRAGMA application_id = \(IndexSchema.applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(IndexSchema.version)")
      for statement in IndexSchema.statements { try database.execute(sql: statement.sql) }
    }
    return IndexDatabase(path: path, queue: queue, budget: .unlimited)
  }

  /// Opens an index for reading. A finished recording has no write-ahead log, or an empty one of a writer that
  /// found a full disk, and is opened as immutable, which works in read-only folders and on full disks. During a
  /// recording, and after its recorder was killed, the log is read too.
  static func open(at path: String) throws(RetakeError) -> IndexDatabase { try checked(openUnchecked(at: path)) }

  private static func openUnchecked(at path: String) throws(RetakeError) -> IndexDatabase {
    let logByteCount = try RecordingFolder.byteCount(path + "-wal") ?? 0
    // SQLite looks for a link's log beside the file that it leads to.
    let hasLog = logByteCount > 0 && !RecordingFolder.isLink(path)
    var configuration = Configuration()
    configuration.readonly = true
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    return try guarded(
      hasLog ? (isAbsolute ? path : "./" + path) : SQLiteAddress.immutable(path), configuration, path)
  }

  static func openToWrite(at path: String) throws(RetakeError) -> IndexDatabase {
    // Checked before the journal mode is changed: a later version may own the index.
    _ = try open(at: path)
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(busySeconds)
    return try checked(guarded(path, configuration, path))
  }

  private static func guarded(
    _ location: String, _ configuration: Configuration, _ path: String
  ) throws(RetakeError) -> IndexDatabase {
    for suffix in fileSuffixes {
      try RecordingFolder.checkRegular(path + suffix, followsLinks: suffix.isEmpty && configuration.readonly)
    }
    return try translating(path) {
      guard try RecordingFolder.exists(path) else { throw FileBytes.failure("open", path, errno: ENOENT) }
      let budget = try QueryBudget(forFile: path)
      var configuration = configuration
      configuration.prepareDatabase { try budget.prepare($0) }
      return IndexDatabase(
        path: path, queue: try DatabaseQueue(path: location, configuration: configuration), budget: budget)
    }
  }

  /// - Throws: when the database is not an index that this version reads.
  private static func checked(_ index: IndexDatabase) throws(RetakeError) -> IndexDatabase {
    let path = index.path
    try index.read { database in
      let (application, version) = try marks(database)
      if try application == 0 && isEmpty(database) {
        throw RetakeError(
          .corrupt, "\(path) is empty: its recorder was killed before it started.",
          hint: "'retake recover' rebuilds it from the chunk files")
      }
      guard application == IndexSchema.applicationID else {
        throw RetakeError(
          .corrupt, "\(path) is an SQLite database, but not the index of a recording.",
          hint: "give a folder made by 'retake record'")
      }
      if version > IndexSchema.version { throw newer(path, version) }
      guard version == IndexSchema.version else {
        throw RetakeError(
          .unsupported, "\(path) has version \(version); this version of Retake reads version \(IndexSchema.version).",
          hint: "'retake recover' rebuilds it from the chunk files")
      }
      try checkLength(database, path)
      try IndexSchema.check(database, path)
    }
    return index
  }

  private static func marks(_ database: Database) throws -> (application: Int, version: Int) {
    (
      try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
      try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    )
  }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)") == 0
  }

  /// SQLite would read a truncated last page as if it ended in zeros.
  private static func checkLength(_ database: Database, _ path: String) throws {
    // With a log, the missing end may be there.
    var status = stat()
    if stat(path + "-wal", &status) == 0 && status.st_size > 0 { return }
    guard stat(path, &status) == 0 else { throw FileBytes.failure("read", path) }
    guard let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size"), Int(status.st_size) % pageSize == 0 else {
      throw RetakeError(
        .corrupt, "\(path) is damaged: it is truncated.",
        hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
    }
  }

  private static func newer(_ path: String, _ version: Int) -> RetakeError {
    RetakeError(
      .unsupported, "\(path) has version \(version); this version of Retake reads version \(IndexSchema.version).",
      hint: "use the version of Retake that wrote it, or a later one")
  }

  // MARK: Before a repair

  /// - Throws: `.unsupported` for an index of a later version; when the file cannot be read. Any
  ///   other content is accepted, since a repair replaces it.
  static func refuseNewer(at path: String) throws(RetakeError) {
    guard try RecordingFolder.exists(path) else { return }
    do throws(RetakeError) {
      let index = try openUnchecked(at: path)
      let (application, version) = try index.read { try marks($0) }
      if application == IndexSchema.applicationID && version > IndexSchema.version { throw newer(path, version) }
    } catch {
      guard error.code == .corrupt else { throw error }
    }
  }

  /// Whether a recorder was killed before it entered anything: there is no table or no recording.
  static func isUnbegun(at path: String) throws(RetakeError) -> Bool {
    do throws(RetakeError) {
      let index = try openUnchecked(at: path)
      if try index.read({ try marks($0).application == 0 && isEmpty($0) }) { return true }
      return try checked(index).read { try Row.fetchOne($0, sql: "SELECT 1 FROM recording LIMIT 1") == nil }
    } catch {
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      return false
    }
  }

  /// For each stream, the number after its last frame in the index, and after the last that it
  /// lists as lost. Empty when the index is damaged or of another recording.
  static func knownEnds(
    at path: String, of identity: RecordingIdentity
  ) throws(RetakeError) -> [(frames: Int, losses: Int)] {
    try unlessDamaged(path, []) { () throws(RetakeError) in
      let index = try open(at: path)
      guard try index.identity().0.id == identity.id else { return [] }
      let count = try index.streams().count
      return try index.read { database in
        try (0..<count).map { stream in
          let frames = try Row.fetchOne(
            database, sql: "SELECT coalesce(max(number) + 1, 0) FROM frame WHERE stream = ?", arguments: [stream])!
          let numbers = 0...RecordingLimits.count
          let end = try frames.integer(0, in: numbers)
          // Events of a trimmed copy keep the places of closed gaps. Only those after its frames
          // count.
          let losses = try Row.fetchOne(
            database,
            sql: """
              SELECT coalesce(max(frame + count), 0) FROM event
              WHERE stream = ? AND stage = 'disk' AND reason = 'dropped' AND frame >= ?
              """, arguments: [stream, end])!
          return (frames: end, losses: try losses.integer(0, in: numbers))
        }
      }
    }
  }

  /// The recording that an index describes; nil when it is damaged.
  static func description(
    at path: String
  ) throws(RetakeError) -> (identity: RecordingIdentity, streams: [StreamDescription])? {
    try unlessDamaged(path, nil) { () throws(RetakeError) in
      let index = try open(at: path)
      return (try index.identity().0, try index.streams())
    }
  }

  /// The number of frames in an index of any version; 0 for a damaged one.
  static func frameCount(at path: String) throws(RetakeError) -> Int {
    try unlessDamaged(path, 0) { () throws(RetakeError) in
      try openUnchecked(at: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM frame") ?? 0 }
    }
  }

  /// Marks an existing index as not closed, so that the next opening repairs it.
  static func reopen(at path: String) throws(RetakeError) {
    try unlessDamaged(path, ()) { () throws(RetakeError) in
      let index = try openToWrite(at: path)
      try index.setClosed(false)
      try index.close()
    }
  }

  private static func unlessDamaged<Result>(
    _ path: String, _ fallback: Result, _ body: () throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    guard try RecordingFolder.exists(path) else { return fallback }
    do throws(RetakeError) {
      return try body()
    } catch {
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      return fallback
    }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) {
      try queue.read { database in
        budget.renew()
        return try body(database)
      }
    }
  }

  func write<Result>(_ body: (Database) throws -> Result) throws(RetakeError) -> Result {
    try Self.translating(path) {
      try queue.write { database in
        budget.renew()
        return try body(database)
      }
    }
  }

  /// Truncates the write-ahead log and closes, which leaves a single file.
  package func close() throws(RetakeError) {
    try Self.translating(path) {
      do {
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // A reader keeps the index open. It and later readers find the log beside it.
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
      // Its first step on a full disk.
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
        throw FileBytes.failure("write", path, errno: ENOSPC)
      case .SQLITE_CANTOPEN: throw FileBytes.databaseFailure(path, isWriting: false)
      case .SQLITE_IOERR: throw FileBytes.failure("read or write", path, errno: EIO)
      case .SQLITE_INTERRUPT:
        throw RetakeError(
          .corrupt, "\(path) is damaged: a query exceeded its limit of steps.",
          hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
      case .SQLITE_READONLY, .SQLITE_PERM: throw FileBytes.databaseFailure(path, isWriting: true)
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        throw RetakeError(
          .inputOutput, "\(path) is in use by another program.", hint: "wait until the other program has finished")
      default:
        throw RetakeError(
          .corrupt, "\(path) is damaged: \(error.message ?? "unknown database error").",
          hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
      }
    } catch {
      throw RetakeError(.corrupt, "\(path) could not be read: \(error).")
    }
  }
}
