import Glibc
import Support

/// A shared lock that writers of masks hold on the folder of a key. It tells files of a killed
/// replay from those being written.
final class KeptMaskLock {
  private let descriptor: Int32

  /// Removes partial files if no writer is running, then takes the shared lock.
  /// - Returns: nil when the folder cannot be locked. No file is removed then.
  init?(_ path: String, on fileSystem: any FileSystem) {
    descriptor = SystemCall.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    if SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      for name in (try? Folder.names(in: path)) ?? [] where name.hasSuffix(".mcap" + PartialFile.suffix) {
        try? fileSystem.remove(path + "/" + name)
      }
    }
    // An exclusive lock is held only during the cleanup above, so this wait is short.
    guard SystemCall.lock(descriptor, LOCK_SH) == 0 else { return nil }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child between fork and exec has the descriptor too, so closing alone would not unlock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
