import Dispatch
import GRDB
import Glibc
import Support
import Synchronization

/// Facts of many recordings, kept so that only those that changed since are opened again.
package final class RecordingCatalogue {
  private let path: String?
  private var queue: DatabaseQueue

  /// - Parameter path: the file; nil keeps nothing. By default the user's catalogue.
  /// - Throws: only when SQLite fails altogether.
  package init(path: String? = CatalogueDatabase.usualPath) throws(RetakeError) {
    self.path = path
    queue = try Self.translating { try CatalogueDatabase.open(path) }
  }

  /// Recordings in a folder and its subfolders that match a query, in the order of their paths, which
  /// begin with `folder` as it is given. Those that earlier calls found and that are no longer there
  /// are listed as gone.
  /// - Parameters:
  ///   - query: nil for all.
  ///   - forgetsGone: leaves those out, now and later.
  ///   - progress: called with the recordings that have been opened, and that have to be.
  /// - Throws: when the folder cannot be read. Problems of a recording are in its entry.
  package func entries(
    in folder: String, matching query: CatalogueQuery? = nil, forgetsGone: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> [CatalogueEntry] {
    guard let resolved = realpath(folder, nil) else { throw FileBytes.failure("open", folder) }
    let root = String(cString: resolved)
    free(resolved)
    let found = try RecordingTree.recordings(in: root)
    do {
      return try entries(found, root, folder, query, forgetsGone, progress)
    } catch {
      // The file can always be made again; another process may be using it, or the disk may be full.
      if let path, CatalogueDatabase.isBroken(error) {
        try? queue.close()
        CatalogueDatabase.remove(path)
        queue = try Self.translating { try CatalogueDatabase.open(path) }
      } else {
        queue = try Self.translating { try CatalogueDatabase.open(nil) }
      }
      return try Self.translating { try entries(found, root, folder, query, forgetsGone, progress) }
    }
  }

  private func entries(
    _ found: [RecordingTree.Found], _ root: String, _ folder: String, _ query: CatalogueQuery?, _ forgetsGone: Bool,
    _ progress: (Int, Int) -> Void
  ) throws -> [CatalogueEntry] {
    try refresh(found, root, forgetsGone, progress)
    var sql = "SELECT \(CatalogueEntry.columns) FROM entry WHERE (path = ? OR path > ? AND path < ?)"
    let inside = root.hasSuffix("/") ? root : root + "/"
    var arguments: StatementArguments = [root, inside, inside.dropLast() + "0"]
    for condition in query?.conditions ?? [] { sql += " AND (\(condition))" }
    for argument in query?.arguments ?? [] { arguments += [argument] }
    let prefix = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return try queue.read { database in
      var entries: [CatalogueEntry] = []
      let rows = try Row.fetchCursor(database, sql: sql + " ORDER BY path", arguments: arguments)
      while let row = try rows.next() {
        var entry = CatalogueEntry(row)
        entry.path = Self.shown(entry.path, root: root, as: prefix)
        entries.append(entry)
      }
      return entries
    }
  }

  /// A path with the folder's name as the user gave it.
  private static func shown(_ path: String, root: String, as prefix: String) -> String {
    guard path.utf8.count > root.utf8.count else { return prefix }
    let rest = path.utf8.dropFirst(root.utf8.count)
    return prefix == "/" ? String(rest)! : prefix + (root == "/" ? "/" : "") + String(rest)!
  }

  // MARK: Refreshing

  private struct Known {
    var rowID: Int64
    var stamp: Int64
    var isGone: Bool
  }

  private func refresh(
    _ found: [RecordingTree.Found], _ root: String, _ forgetsGone: Bool, _ progress: (Int, Int) -> Void
  ) throws {
    let inside = root.hasSuffix("/") ? root : root + "/"
    var known: [String: Known] = [:]
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT rowid, path, stamp, state FROM entry WHERE path = ? OR path > ? AND path < ?",
        arguments: [root, inside, inside.dropLast() + "0"])
      while let row = try rows.next() {
        known[row[1]] = Known(
          rowID: row[0], stamp: row[2], isGone: (row[3] as String) == CatalogueEntry.State.gone.rawValue)
      }
    }
    var changed: [RecordingTree.Found] = []
    for item in found {
      let old = known.removeValue(forKey: item.path)
      if item.stamp == 0 || old?.stamp != item.stamp { changed.append(item) }
    }
    let vanished = forgetsGone ? Array(known.values) : known.values.filter { !$0.isGone }
    if !vanished.isEmpty {
      try queue.write { database in
        for item in vanished {
          if forgetsGone {
            try Self.remove(item.rowID, database)
          } else {
            try database.execute(
              sql: "UPDATE entry SET state = ?, stamp = 0, problem = '' WHERE rowid = ?",
              arguments: [CatalogueEntry.State.gone.rawValue, item.rowID])
          }
        }
      }
    }
    try read(changed, progress)
  }

  /// Opens recordings on all processors, and enters what they hold.
  private func read(_ changed: [RecordingTree.Found], _ progress: (Int, Int) -> Void) throws {
    // Few enough that an interruption loses little work.
    let batchCount = 64
    var start = 0
    while start < changed.count {
      let batch = Array(changed[start..<min(changed.count, start + batchCount)])
      let results = Mutex([CatalogueEntry?](repeating: nil, count: batch.count))
      DispatchQueue.concurrentPerform(iterations: batch.count) { index in
        let entry = CatalogueEntry.read(batch[index].path)
        results.withLock { $0[index] = entry }
      }
      let entries = results.withLock { $0 }
      try queue.write { database in
        for (item, entry) in zip(batch, entries) {
          guard let entry else { continue }
          // One that is not closed changes without its folder's times.
          let isLasting = entry.state == .whole || entry.state == .damaged
          try Self.enter(entry, stamp: isLasting ? item.stamp : 0, database)
        }
      }
      start += batch.count
      progress(start, changed.count)
    }
  }

  private static func remove(_ rowID: Int64, _ database: Database) throws {
    for sql in [
      "DELETE FROM entry WHERE rowid = ?", "DELETE FROM tag WHERE entry = ?", "DELETE FROM words WHERE rowid = ?",
    ] {
      try database.cachedStatement(sql: sql).execute(arguments: [rowID])
    }
  }

  private static func enter(_ entry: CatalogueEntry, stamp: Int64, _ database: Database) throws {
    let find = try database.cachedStatement(sql: "SELECT rowid FROM entry WHERE path = ?")
    if let old = try Int64.fetchOne(find, arguments: [entry.path]) { try remove(old, database) }
    let insert = try database.cachedStatement(
      sql: "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    try insert.execute(arguments: entry.arguments(stamp: stamp))
    let rowID = database.lastInsertedRowID
    let tags = try database.cachedStatement(sql: "INSERT INTO tag VALUES (?, ?, ?)")
    for tag in entry.tags.tags { try tags.execute(arguments: [rowID, tag.name, tag.value]) }
    let name = entry.path.split(separator: "/").last.map(String.init) ?? entry.path
    try database.cachedStatement(
      sql: "INSERT INTO words (rowid, name, stream, mark, tag, note) VALUES (?, ?, ?, ?, ?, ?)"
    )
    .execute(arguments: [
      rowID, name, entry.streams.map { "\($0.name) \($0.format)" }.joined(separator: "\n"),
      entry.marks.joined(separator: "\n"), entry.tags.tags.map(\.text).joined(separator: "\n"), entry.tags.note,
    ])
  }

  private static func translating<Result>(_ body: () throws -> Result) throws(RetakeError) -> Result {
    do { return try body() } catch let error as RetakeError { throw error } catch {
      throw RetakeError(
        .inputOutput, "The catalogue of recordings cannot be used: \(error).",
        hint: "remove \(CatalogueDatabase.usualPath ?? "it"); it is made again")
    }
  }
}
