import FrameModel
import GRDBSQLite
import Glibc
import Support

/// A stranger's SQLite database, opened for reading with limits. Statements give blobs without copying them,
/// and can be continued after damage, which GRDB's cursors cannot.
final class SQLiteReader {
  let path: String
  let byteCount: Int
  fileprivate let connection: OpaquePointer
  /// Virtual machine steps left, counted in calls of the progress handler.
  private let stepsLeft = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private static let handlerSteps: Int32 = 100_000
  private static let leastCalls = 10_000
  /// A row takes some tens of steps and has at least ten bytes.
  private static let bytesPerCall = 4_000

  /// - Parameter path: of a database without a journal beside it. Nothing is locked or written.
  init(path: String) throws(RetakeError) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else {
      stepsLeft.deallocate()
      throw FileBytes.failure("read", path)
    }
    let location = SQLiteAddress.immutable(path)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(location, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      stepsLeft.deallocate()
      throw FileBytes.databaseFailure(path, isWriting: false)
    }
    connection = opened
    byteCount = Int(status.st_size)
    stepsLeft.initialize(to: Self.leastCalls + Int(status.st_size) / Self.bytesPerCall)
    sqlite3_extended_result_codes(connection, 0)
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(FrameLayout.largestByteCount + (64 << 20)))
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_progress_handler(
      connection, Self.handlerSteps,
      { left in
        let left = left!.assumingMemoryBound(to: Int.self)
        left.pointee -= 1
        return left.pointee < 0 ? 1 : 0
      }, stepsLeft)
    // The last lets SQLite read what is left of a database that was cut short.
    for pragma in ["trusted_schema = OFF", "cell_size_check = ON", "writable_schema = ON", "mmap_size = 0"] {
      sqlite3_exec(connection, "PRAGMA \(pragma)", nil, nil, nil)
    }
  }

  deinit {
    sqlite3_close_v2(connection)
    stepsLeft.deallocate()
  }

  func statement(_ sql: String) throws(RetakeError) -> SQLiteStatement { try SQLiteStatement(self, sql) }

  /// Whether there is an ordinary table of this name: no view, which could compute anything, and no virtual table.
  func hasTable(_ name: String) throws(RetakeError) -> Bool {
    let statement = try statement(
      """
      SELECT 1 FROM sqlite_schema WHERE name = '\(name)' AND type = 'table' AND sql LIKE 'CREATE TABLE%'
      AND sql NOT LIKE '%GENERATED%' AND sql NOT LIKE '% AS %'
      """)
    return try statement.step()
  }

  fileprivate func failure(_ code: Int32) -> RetakeError {
    switch code & 0xFF {
    case SQLITE_IOERR: return FileBytes.failure("read", path, errno: EIO)
    case SQLITE_FULL: return FileBytes.failure("write temporary files for", path, errno: ENOSPC)
    case SQLITE_NOMEM: return RetakeError(.inputOutput, "There is not enough memory to read \(path).")
    case SQLITE_INTERRUPT:
      return RetakeError(.unsupported, "Reading \(path) takes more work than a bag of its size can need.")
    default:
      return RetakeError(
        .corrupt, "\(path) is damaged: \(String(cString: sqlite3_errmsg(connection))).",
        hint: "check where the file came from")
    }
  }
}

/// A query that gives one row after the other.
final class SQLiteStatement {
  private let reader: SQLiteReader
  private let statement: OpaquePointer

  fileprivate init(_ reader: SQLiteReader, _ sql: String) throws(RetakeError) {
    self.reader = reader
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(reader.connection, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw reader.failure(code) }
    statement = prepared
  }

  deinit { sqlite3_finalize(statement) }

  /// - Returns: whether there is a row.
  func step() throws(RetakeError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw reader.failure(code)
    }
  }

  func reset() { sqlite3_reset(statement) }

  func bind(_ number: Int64) { sqlite3_bind_int64(statement, 1, number) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String {
    guard sqlite3_column_bytes(statement, column) <= 1 << 16, let text = sqlite3_column_text(statement, column) else {
      return ""
    }
    return String(cString: text)
  }

  /// Valid until the next step; nil for NULL.
  func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
