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
    try items(CatalogueEntry.columns, in: folder, query, forgetsGone, progress) { row, path in
      var entry = CatalogueEntry(row)
      entry.path = path
      return entry
    }
  }

  /// The paths of what `entries` returns.
  package func paths(
    in folder: String, matching query: CatalogueQuery, progress: (Int, Int) -> Void
  ) throws(RetakeError) -> [String] {
    try items("path", in: folder, query, false, progress) { _, path in path }
  }

  private func items<Item>(
    _ columns: String, in folder: String, _ query: CatalogueQuery?, _ forgetsGone: Bool,
    _ progress: (Int, Int) -> Void, _ item: (_ row: Row, _ path: String) -> Item
  ) throws(RetakeError) -> [Item] {
    guard let resolved = realpath(folder, nil) else { throw FileBytes.failure("open", folder) }
    let root = String(cString: resolved)
    free(resolved)
    let found = try RecordingTree.recordings(in: root)
    func items() throws -> [Item] {
      try refresh(found, root, forgetsGone, progress)
      return try select(columns, root, folder, query, item)
    }
    do {
      return try items()
    } catch {
      // The file can always be made again; another process may be using it, or the disk may be full.
      if let path, CatalogueDatabase.isBroken(error) {
        try? queue.close()
        CatalogueDatabase.remove(path)
        queue = try Self.translating { try CatalogueDatabase.open(path) }
      } else {
        queue = try Self.translating { try CatalogueDatabase.open(nil) }
      }
      return try Self.translating { try items() }
    }
  }

  /// Rows of recordings in a folder, and their paths as `folder` begins them.
  private func select<Item>(
    _ columns: String, _ root: String, _ folder: String, _ query: CatalogueQuery?,
    _ item: (_ row: Row, _ path: String) -> Item
  ) throws -> [Item] {
    var sql = "SELECT \(columns) FROM entry WHERE \(Self.isInside)"
    var arguments = Self.inside(root)
    for condition in query?.conditions ?? [] { sql += " AND (\(condition))" }
    for argument in query?.arguments ?? [] { arguments += [argument] }
    let prefix = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return try queue.read { database in
      var items: [Item] = []
      let rows = try Row.fetchCursor(database, sql: sql + " ORDER BY path", arguments: arguments)
      while let row = try rows.next() { items.append(item(row, Self.shown(row[0], root: root, as: prefix))) }
      return items
    }
  }

  /// A folder and what is in it: one range of the index. The plus keeps SQLite from using two.
  private static let isInside = "path >= ? AND path < ? AND (+path = ? OR +path > ?)"
  private static func inside(_ root: String) -> StatementArguments {
    let inside = root.hasSuffix("/") ? root : root + "/"
    return [root, inside.dropLast() + "0", root, inside]
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
    var path: String
    var stamp: Int64
    var isGone: Bool
  }

  private func refresh(
    _ found: [RecordingTree.Found], _ root: String, _ forgetsGone: Bool, _ progress: (Int, Int) -> Void
  ) throws {
    var known: [Known] = []
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT rowid, path, stamp, state FROM entry WHERE \(Self.isInside) ORDER BY path",
        arguments: Self.inside(root))
      while let row = try rows.next() {
        known.append(
          Known(
            rowID: row[0], path: row[1], stamp: row[2], isGone: (row[3] as String) == CatalogueEntry.State.gone.rawValue
          ))
      }
    }
    // Both are in the order of paths.
    var changed: [RecordingTree.Found] = []
    var missing: [Known] = []
    var rest = known[...]
    for item in found {
      while let next = rest.first, RecordingTree.precedes(next.path, item.path) { missing.append(rest.removeFirst()) }
      let isKnown = rest.first.map { !RecordingTree.precedes(item.path, $0.path) } ?? false
      let old = isKnown ? rest.removeFirst() : nil
      if item.stamp == 0 || old?.stamp != item.stamp { changed.append(item) }
    }
    missing += rest
    let vanished = forgetsGone ? missing : missing.filter { !$0.isGone }
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
