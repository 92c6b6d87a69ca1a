import GRDB

/// Every row of every table of an index, as text.
enum IndexDump {
  static func lines(_ recording: String) throws -> [String] {
    let queue = try DatabaseQueue(path: recording + "/index.sqlite")
    return try queue.read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      return try tables.flatMap { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0.databaseValues)" }
      }
    }
  }
}

extension IndexDump {
  /// Does something to an index that nothing here would.
  static func change(_ recording: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: recording + "/index.sqlite")
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }
}
