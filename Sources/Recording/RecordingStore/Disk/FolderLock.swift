import Glibc
import Support

/// An exclusive lock on a recording's chunks folder, held until deinit or the end of the process.
package final class FolderLock: Sendable {
  private let descriptor: Int32
  private let folder: RecordingFolder

  /// - Throws: when the lock is held elsewhere, the file system has no locks, or a change would follow a symbolic link.
  package init(_ folder: RecordingFolder) throws(RetakeError) {
    self.folder = folder
    try folder.checkNoLinks()
    descriptor = try FileBytes.open("open", folder.chunksPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
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

  /// Whether the path still leads to the locked folder: not if it was moved, removed or replaced.
  var isInPlace: Bool { Folder.isSame(folder.chunksPath, asOpen: descriptor) }

  func check() throws(RetakeError) {
    guard isInPlace else {
      throw RetakeError(
        .notFound, "\(folder.path) was moved or removed while it was being recorded.",
        hint: "if it was moved, 'retake info' with its new path repairs and shows it")
    }
  }

  func release() { flock(descriptor, LOCK_UN) }

  deinit {
    // A child between fork and exec has the descriptor too, so closing alone would not unlock.
    release()
    close(descriptor)
  }
}
