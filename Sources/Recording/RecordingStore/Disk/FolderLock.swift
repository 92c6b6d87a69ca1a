import FrameModel
import Glibc
import Support

/// Keeps two recorders, or a recorder and a repair, out of one folder. Ends with its owner, and with its process.
final class FolderLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// - Throws: when another process has it.
  init(_ folder: RecordingFolder) throws(RetakeError) {
    path = folder.chunksPath
    let chunksPath = folder.chunksPath
    descriptor = SystemCall.retried { open(chunksPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileBytes.failure("open", folder.chunksPath) }
    let lock = descriptor
    let result = SystemCall.retried { flock(lock, LOCK_EX | LOCK_NB) }
    // Every property is set, so throwing runs deinit, which closes.
    guard result == 0 else { throw Self.failure(errno, folder) }
  }

  /// Whether the lock is free. Counts as held where the file system has no locks.
  static func isFree(_ folder: RecordingFolder) throws(RetakeError) -> Bool {
    do throws(RetakeError) {
      _ = try FolderLock(folder)
      return true
    } catch {
      guard error == failure(EWOULDBLOCK, folder) || error == failure(ENOLCK, folder) else { throw error }
      return false
    }
  }

  static func failure(_ code: Int32, _ folder: RecordingFolder) -> RetakeError {
    switch code {
    case EWOULDBLOCK:
      return RetakeError(
        .inputOutput, "A recorder is at work on \(folder.path).", hint: "wait until it has ended, or end it")
    case ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL:
      return RetakeError(
        .unsupported, "The file system of \(folder.path) has no locks, so two recorders could write into one folder.",
        hint: "record on a local disk and copy the finished folder")
    default: return FileBytes.failure("lock", folder.chunksPath, errno: code)
    }
  }

  /// - Throws: when the path leads elsewhere by now: the folder was moved or removed, and what lies there is another's.
  func check() throws(RetakeError) {
    var own = stat()
    var found = stat()
    guard fstat(descriptor, &own) == 0, stat(path, &found) == 0, own.st_ino == found.st_ino, own.st_dev == found.st_dev
    else {
      throw RetakeError(
        .notFound, "\(path) was moved or removed while it was recorded.", hint: "leave it in its place until the end")
    }
  }

  /// Lets others in.
  func release() { flock(descriptor, LOCK_UN) }

  deinit {
    // Closing alone would not do where a child process is just being made and has the descriptor too.
    release()
    close(descriptor)
  }
}
