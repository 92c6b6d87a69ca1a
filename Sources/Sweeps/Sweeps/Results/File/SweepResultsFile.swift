import FrameModel
import GRDB
import Support

/// The results of a sweep in one SQLite file (see ResultsFile.md). Serves one thread.
///
/// After a kill at any point it opens again, and lacks only runs that were not written yet.
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

  /// - Throws: `.inputOutput` if the path exists; `.unsupported` for a sweep beyond `SweepLimits`.
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

  /// Opens a file for reading, also while a sweep writes to it.
  /// - Throws: `.notFound`, `.corrupt`, `.unsupported`.
  package static func open(_ path: String) throws(RetakeError) -> SweepResultsFile {
    let database = try ResultsDatabase.openToRead(path)
    return SweepResultsFile(database, try database.checkedIdentity(), nil)
  }

  /// Opens a sweep's file for reading; nil if there is none yet, or an empty one.
  /// - Throws: as `open`; `.usage` for another sweep's results.
  package static func openIfPresent(_ path: String, _ identity: SweepIdentity) throws(RetakeError) -> SweepResultsFile?
  {
    do throws(RetakeError) {
      if try ResultsLock.regularFile(path).st_size == 0 { return nil }
    } catch  where error.code == .notFound {
      return nil
    }
    let file = try open(path)
    if let difference = file.identity.difference(from: identity) { throw anotherSweep(path, difference) }
    return file
  }

  private static func anotherSweep(_ path: String, _ difference: SweepDifference) -> RetakeError {
    RetakeError(
      .usage, "\(path) has the results of another sweep: \(difference.words).",
      hint: "choose another file with -o; 'retake sweep compare' compares two")
  }

  /// Opens a file to add runs.
  /// - Throws: as `create` and `open`; `.busy` while another sweep writes to it; `.usage`
  ///   for another sweep's results.
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
      if let difference = found.difference(from: identity) { throw anotherSweep(path, difference) }
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

  /// Idempotent. A writer merges the write-ahead log, unless another process is reading.
  package func close() throws(RetakeError) {
    guard !isClosed else { return }
    isClosed = true
    // Only after SQLite has closed the file: closing the lock's descriptor ends SQLite's own locks.
    defer { lock?.release() }
    try database.close(isWriter: isWriter)
  }

  deinit { try? close() }
}
