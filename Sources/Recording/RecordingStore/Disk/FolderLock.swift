import Glibc
import Support

/// An exclusive lock on a recording's chunks folder, held until deinit or the end of the process.
package final class FolderLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// - Throws: when the lock is held elsewhere, or the file system has no locks.
  package init(_ folder: RecordingFolder) throws(RetakeError) {
    path = folder.chunksPath
    descriptor = try FileBytes.open("open", path, O_RDONLY | O_DIRECTORY)
    // All properties are set, so throwing runs deinit, which closes the descriptor.
    guard SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.failure(errno, folder) }
  }

  /// Whether nothing holds the lock. False where the file system has no locks.
  static func isFree(_ folder: RecordingFolder) throws(RetakeError) -> Bool {
    do throws(RetakeError) {
      _ = try FolderLock(folder)
      return true
    } catch {
      guard error == failure(EWOULDBLOCK, folder) || error == failure(ENOLCK, folder) else { throw error }
      return false
    }
  }

  package static func failure(_ code: Int32, _ folder: RecordingFolder) -> RetakeError {
    switch code {
    case EWOULDBLOCK:
      return RetakeError(
        .busy, "\(folder.path) is in use: a recorder or another 'retake' command has locked it.",
        hint: "wait until it has finished, or stop it")
    case ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL:
      return RetakeError(
        .unsupported,
        "The file system of \(folder.path) does not support file locks, so two recorders could write to one folder.",
        hint: "record on a local disk and copy the finished folder")
    default: return FileBytes.failure("lock", folder.chunksPath, errno: code)
    }
  }

  /// - Throws: when the path no longer leads to the locked folder: it was moved or replaced.
  func check() throws(RetakeError) {
    var own = stat()
    var found = stat()
    guard fstat(descriptor, &own) == 0, stat(path, &found) == 0, own.st_ino == found.st_ino, own.st_dev == found.st_dev
    else {
      throw RetakeError(
        .notFound, "\(path) was moved or removed during the recording.",
        hint: "do not move the folder until the recording has ended")
    }
  }

  func release() { flock(descriptor, LOCK_UN) }

  deinit {
    // A child between fork and exec has the descriptor too, so closing alone would not unlock.
    release()
    close(descriptor)
  }
}
