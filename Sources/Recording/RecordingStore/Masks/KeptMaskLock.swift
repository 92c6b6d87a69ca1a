import FrameModel
import Glibc
import Support

/// Held by everybody who writes masks under a key, so that what a killed replay left there is told from what another one is at.
final class KeptMaskLock {
  private let descriptor: Int32

  /// Removes what nobody writes any more, and shares the folder from then on.
  /// - Returns: nil where a folder cannot be locked; nothing is removed there.
  init?(_ path: String, on fileSystem: any FileSystem) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      for name in (try? Folder.names(in: path)) ?? [] where name.hasSuffix(".mcap" + PartialFile.suffix) {
        try? fileSystem.remove(path + "/" + name)
      }
    }
    // Whoever has it alone is at the lines above.
    while flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { return nil }
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing alone would not do where a child process is just being made and has the descriptor too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
