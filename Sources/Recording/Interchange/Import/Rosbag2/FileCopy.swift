import ChunkFormat
import GRDBSQLite
import Glibc
import RecordingStore
import Support

enum FileCopy {
  private static let blockByteCount = 1 << 20

  /// - Parameter limit: bytes to copy at most.
  static func copy(_ path: String, to copy: String, limit: Int = .max) throws(RetakeError) {
    var source = try FileSource(path: path)
    let descriptor = try FileBytes.open("create", copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    defer { close(descriptor) }
    let buffer = ByteStore()
    var offset = 0
    while true {
      let block = buffer.bytes(min(blockByteCount, limit - offset))
      let count = try source.readAll(at: offset, into: block)
      guard count > 0 else { return }
      try FileBytes.writeAll(UnsafeRawBufferPointer(rebasing: block[..<count]), to: descriptor, path: copy)
      offset += count
    }
  }
}

extension SQLiteReader {
  /// Merges the journal beside a database into it.
  static func merge(_ path: String) throws(RetakeError) {
    // Closing the only connection does it.
    var connection: OpaquePointer?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      sqlite3_close_v2(connection)
      throw FileBytes.databaseFailure(path, isWriting: true)
    }
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_exec(connection, "PRAGMA trusted_schema = OFF", nil, nil, nil)
    sqlite3_exec(connection, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
    sqlite3_close_v2(connection)
  }
}
