import Glibc
import Support

/// A shared lock that writers of masks hold on the folder of a key. It tells files of a killed
/// replay from those being written.
final class KeptMaskLock {
  private let descriptor: Int32

  /// An exclusive lock is held only during a cleanup, so this is plenty.
  private static let mostTries = 100
  private static let retryMicroseconds: UInt32 = 10_000

  /// Removes partial files if no writer is running, then takes the shared lock.
  /// - Returns: nil when the folder cannot be locked. No file is removed then.
  /// - Throws: `.busy` when something else keeps the folder locked.
  init?(_ path: String, on fileSystem: any FileSystem) throws(RetakeError) {
    descriptor = SystemCall.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    if SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      for name in (try? Folder.names(in: path)) ?? [] where name.hasSuffix(".mcap" + PartialFile.suffix) {
        try? fileSystem.remove(path + "/" + name)
      }
    }
    var tries = 1
    while SystemCall.lock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else { return nil }
      guard tries < Self.mostTries else {
        throw RetakeError(.busy, "\(path) is locked by another program.", hint: "wait until it has finished")
      }
      tries += 1
      usleep(Self.retryMicroseconds)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child between fork and exec has the descriptor too, so closing alone would not unlock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
