import GRDB
import Support

/// Compares an index row by row with one derived from the chunk files.
struct IndexComparison {
  /// A row that is wrong, missing or superfluous.
  struct Difference {
    var table: String
    var stream: Int?
    var frame: Int?
    var what: String
  }

  private struct Table {
    var name: String
    var keys: [String]
    /// Columns that cannot be derived from chunk files, so they are not compared.
    var ownColumns: Set<String> = []
  }

  /// All tables but those of events, which `compareEvents` checks.
  private static let tables = [
    Table(name: "recording", keys: ["id"], ownColumns: ["is_closed"]), Table(name: "stream", keys: ["id"]),
    Table(name: "setting", keys: ["stream", "position"]), Table(name: "chunk_file", keys: ["id"]),
    Table(name: "chunk_stream", keys: ["chunk_file", "stream"]), Table(name: "frame", keys: ["stream", "number"]),
    Table(name: "face", keys: ["stream", "frame", "position"]), Table(name: "face_detector", keys: ["id"]),
    Table(name: "face_look", keys: ["stream", "frame"]), Table(name: "face_count", keys: ["stream", "detector"]),
    Table(name: "frame_set", keys: ["number"]), Table(name: "partner", keys: ["frame_set", "stream"]),
    Table(name: "mark", keys: ["id"]),
  ]

  /// `ClockFacts`: all that may differ between versions of Retake.
  private static let clockColumns: Set = [
    "clock_offset_ns", "clock_drift_ppb", "delay_median_ns", "delay_p99_ns", "period_median_ns", "period_p99_ns",
  ]

  private let index: Database
  private let derived: Database
  private let body: (Difference) -> Void

  static func run(
    _ index: IndexDatabase, _ derived: IndexDatabase, _ body: @escaping (Difference) -> Void
  ) throws(RetakeError) {
    try index.read { own in
      try derived.read { other in
        let comparison = IndexComparison(index: own, derived: other, body: body)
        try comparison.checkIntegrity()
        for table in tables { try comparison.compare(table) }
        try comparison.compareEvents()
      }
    }
  }

  /// Checks SQLite's own indexes against the tables.
  private func checkIntegrity() throws {
    guard let found = try String.fetchOne(index, sql: "PRAGMA integrity_check(1)"), found != "ok" else { return }
    body(Difference(table: "", what: "The index is damaged: \(found.prefix(200))."))
  }

  private func compare(_ table: Table) throws {
    let sql = "SELECT * FROM \(table.name) ORDER BY \(table.keys.joined(separator: ", "))"
    let found = try Row.fetchCursor(index, sql: sql)
    let expected = try Row.fetchCursor(derived, sql: sql)
    let columns = expected.columnNames
    let keyPlaces = table.keys.map { columns.firstIndex(of: $0)! }
    let ownPlaces = Set(columns.indices.filter { table.ownColumns.contains(columns[$0]) })
    func note(_ values: [DatabaseValue], _ what: String) {
      func number(_ names: Set<String>) -> Int? {
        columns.firstIndex { names.contains($0) }.flatMap { Int.fromDatabaseValue(values[$0]) }
      }
      let isOfFrame = ["frame", "face", "face_look", "partner"].contains(table.name)
      body(
        Difference(
          table: table.name, stream: table.name == "stream" ? number(["id"]) : number(["stream"]),
          frame: isOfFrame ? number(table.name == "frame" ? ["number"] : ["frame"]) : nil, what: what))
    }
    var own = try found.next()?.databaseValueList
    var other = try expected.next()?.databaseValueList
    while own != nil || other != nil {
      let order = Self.order(own, other, keyPlaces)
      if order < 0, let row = own {
        note(row, "The index's table '\(table.name)' has a row that is not in the chunk files.")
      } else if order > 0, let row = other {
        note(row, "The index's table '\(table.name)' lacks a row that is in the chunk files.")
      } else if let row = own, let wanted = other,
        let place = row.indices.first(where: { row[$0] != wanted[$0] && !ownPlaces.contains($0) })
      {
        let isClock = table.name == "stream" && Self.clockColumns.contains(columns[place])
        note(
          wanted,
          "The index's table '\(table.name)' has a different '\(columns[place])' than the chunk files"
            + (isClock
              ? "; this can come from an earlier version of Retake: 'retake recover' rebuilds the index." : "."))
      }
      if order <= 0 { own = try found.next()?.databaseValueList }
      if order >= 0 { other = try expected.next()?.databaseValueList }
    }
  }

  private static func order(_ a: [DatabaseValue]?, _ b: [DatabaseValue]?, _ keys: [Int]) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    for key in keys where a[key] != b[key] { return isBefore(a[key], b[key]) ? -1 : 1 }
    return 0
  }

  /// SQLite's sort order of key values: numbers before text.
  private static func isBefore(_ a: DatabaseValue, _ b: DatabaseValue) -> Bool {
    switch (a.storage, b.storage) {
    case (.int64(let a), .int64(let b)): a < b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.null, _): true
    case (_, .null): false
    case (.int64, _), (.double, .string), (.double, .blob): true
    default: false
    }
  }

  // MARK: Events

  /// The index must have the events of the chunk files, in order. After a disk failure it may have
  /// others between them, which the recorder could only enter in the index. These must reach past
  /// the stream's last frame.
  private func compareEvents() throws {
    // What a ring removed is derived, so it is not interleaved with the events of the files as they were entered.
    let additions =
      try additionalEvents("stage NOT IN ('pairing', 'preroll')") + additionalEvents("stage = 'preroll'")
    let hasFailed = additions.contains { $0[1] == "disk".databaseValue }
    // Frames that a failing disk could not store had already been paired.
    let pairings = hasFailed ? [] : try additionalEvents("stage = 'pairing'")
    for row in additions + pairings {
      let stream = Int.fromDatabaseValue(row[0]) ?? -1
      let count = try Int.fetchOne(
        derived, sql: "SELECT max(number) + 1 FROM frame WHERE stream = ?", arguments: [stream])
      let end = Int.fromDatabaseValue(row[3]).flatMap { frame in
        Int.fromDatabaseValue(row[4]).map { frame.addingReportingOverflow($0).partialValue }
      }
      guard hasFailed, let end, end >= count ?? 0 else {
        body(
          Difference(table: "event", stream: stream, what: "The index has an event that is not in the chunk files."))
        continue
      }
    }
    try compareEventSums()
  }

  /// - Returns: events of the index that the chunk files do not have.
  private func additionalEvents(_ condition: String) throws -> [[DatabaseValue]] {
    let sql = "SELECT stream, stage, reason, frame, count, presentation_ns FROM event WHERE \(condition) ORDER BY id"
    let found = try Row.fetchCursor(index, sql: sql)
    let expected = try Row.fetchCursor(derived, sql: sql)
    var additions: [[DatabaseValue]] = []
    var wanted = try expected.next()?.databaseValueList
    while let row = try found.next()?.databaseValueList, additions.count < RecordingLimits.events {
      if row == wanted { wanted = try expected.next()?.databaseValueList } else { additions.append(row) }
    }
    if wanted != nil {
      body(
        Difference(table: "event", what: "The index lacks an event that is in the chunk files, or has a different one.")
      )
    }
    return additions
  }

  private func compareEventSums() throws {
    let sums = "SELECT stream, stage, reason, sum(count) FROM event GROUP BY stream, stage, reason ORDER BY 1, 2, 3"
    let own = "SELECT stream, stage, reason, count FROM event_count ORDER BY 1, 2, 3"
    let difference = "SELECT 1 FROM (SELECT * FROM (\(sums)) EXCEPT SELECT * FROM (\(own))) LIMIT 1"
    let reverse = "SELECT 1 FROM (SELECT * FROM (\(own)) EXCEPT SELECT * FROM (\(sums))) LIMIT 1"
    if try Row.fetchOne(index, sql: difference) != nil || Row.fetchOne(index, sql: reverse) != nil {
      body(Difference(table: "event_count", what: "The index's event totals do not match its events."))
    }
  }
}

extension Row {
  fileprivate var databaseValueList: [DatabaseValue] { Array(databaseValues) }
}
