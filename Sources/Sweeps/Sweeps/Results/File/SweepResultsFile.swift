import FrameModel
import GRDB
import Support

/// The results of a sweep, in one SQLite file: ResultsFile.md says what lies in it. Serves one thread.
///
/// Killed at any point, it opens again and lacks only what was not written before.
package final class SweepResultsFile {
  package let path: String
  package let identity: SweepIdentity
  let database: ResultsDatabase
  /// Nil for a file that is only read.
  private let lock: ResultsLock?
  private var isClosed = false

  private init(_ database: ResultsDatabase, _ identity: SweepIdentity, _ lock: ResultsLock?) {
    (path, self.database, self.identity, self.lock) = (database.path, database, identity, lock)
  }

  /// A new file, never over something that exists.
  /// - Throws: `.inputOutput` for what exists; `.unsupported` for a sweep that no file can hold.
  package static func create(_ path: String, _ identity: SweepIdentity) throws(RetakeError) -> SweepResultsFile {
    try identity.check()
    let lock = try ResultsLock.create(path)
    do throws(RetakeError) {
      return try create(path, identity, lock)
    } catch {
      lock.removeFile()
      lock.release()
      throw error
    }
  }

  /// To read: a sweep may be writing to it meanwhile.
  /// - Throws: `.notFound`, `.corrupt`, `.unsupported`.
  package static func open(_ path: String) throws(RetakeError) -> SweepResultsFile {
    let database = try ResultsDatabase.openToRead(path)
    return SweepResultsFile(database, try database.checkedIdentity(), nil)
  }

  /// To go on writing: what is in it stays in it.
  /// - Throws: what `create` and `open` do; `.inputOutput` while another sweep writes to it; `.usage` for the results of
  ///   another sweep, naming what differs.
  package static func openOrCreate(_ path: String, _ identity: SweepIdentity) throws(RetakeError) -> SweepResultsFile {
    try identity.check()
    do throws(RetakeError) {
      try ResultsLock.regularFile(path)
    } catch  where error.code == .notFound {
      return try create(path, identity)
    }
    let lock = try ResultsLock.open(path)
    do throws(RetakeError) {
      let database = try ResultsDatabase.open(path, isReadOnly: false)
      if try database.isEmpty() { return try create(path, identity, lock) }
      let found = try database.checkedIdentity()
      if let difference = found.difference(from: identity) {
        throw RetakeError(
          .usage, "\(path) holds the results of another sweep: \(difference.words).",
          hint: "choose another file with -o; 'retake sweep compare' compares two")
      }
      try database.prepareToWrite()
      return SweepResultsFile(database, found, lock)
    } catch {
      lock.release()
      throw error
    }
  }

  private static func create(_ path: String, _ identity: SweepIdentity, _ lock: ResultsLock) throws(RetakeError)
    -> SweepResultsFile
  {
    let database = try ResultsDatabase.open(path, isReadOnly: false)
    try database.write { try ResultsDatabase.makeTables(identity, $0) }
    try database.prepareToWrite()
    return SweepResultsFile(database, identity, lock)
  }

  var isWriter: Bool { lock != nil }

  /// Afterwards the results are one file, with nothing beside it, unless somebody reads it at this moment. Nothing more can be
  /// read or written.
  package func close() throws(RetakeError) {
    guard !isClosed else { return }
    isClosed = true
    // Not before SQLite is done: closing the lock's descriptor ends SQLite's own locks.
    defer { lock?.release() }
    try database.close(isWriter: isWriter)
  }

  deinit { try? close() }
}
