import GRDB
import GRDBSQLite
import Glibc
import Support
import Synchronization

/// Limits the memory and time that SQLite may spend on an untrusted database.
final class QueryBudget: Sendable {
  /// SQLite virtual machine steps between two calls of the progress handler.
  private static let handlerSteps: Int32 = 100_000
  /// Added to the steps for the file's bytes: small files are read more than once.
  private static let leastSteps = 100_000_000
  /// A row takes some tens of steps and has at least ten bytes.
  private static let stepsPerByte = 64
  private static let largestValueByteCount: Int32 = 16 << 20

  private let limit: Int
  private let left: Atomic<Int>

  private init(limit: Int) {
    self.limit = limit
    left = Atomic(limit)
  }

  static let unlimited = QueryBudget(limit: .max)

  convenience init(forFile path: String) throws(RetakeError) {
    var byteCount = 0
    for suffix in ["", "-wal"] {
      var status = stat()
      if stat(path + suffix, &status) == 0 { byteCount += Int(status.st_size) }
    }
    self.init(limit: Self.leastSteps + byteCount * Self.stepsPerByte)
  }

  /// Restores the full budget, before each `read` or `write` of the index.
  func renew() { left.store(limit, ordering: .relaxed) }

  func prepare(_ database: Database) throws {
    let connection = database.sqliteConnection
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.largestValueByteCount)
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    // Unretained: the owner of this budget also holds the queue that owns the connection.
    sqlite3_progress_handler(
      connection, Self.handlerSteps,
      { budget in
        let budget = Unmanaged<QueryBudget>.fromOpaque(budget!).takeUnretainedValue()
        let steps = Int(QueryBudget.handlerSteps)
        return budget.left.subtract(steps, ordering: .relaxed).newValue < 0 ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try database.execute(sql: "PRAGMA trusted_schema = OFF")
    try database.execute(sql: "PRAGMA cell_size_check = ON")
  }
}
