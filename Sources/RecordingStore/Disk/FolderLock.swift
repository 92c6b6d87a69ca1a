import FrameModel
import Glibc

/// Keeps two recorders, or a recorder and a repair, out of one folder. Ends with its owner, and with its process.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Throws: when another process has it.
  init(_ folder: RecordingFolder) throws(RetakeError) {
    descriptor = open(folder.chunksPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure("open", folder.chunksPath) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // Every property is set, so throwing runs deinit, which closes.
      throw RetakeError(
        .inputOutput, "A recorder is at work on \(folder.path).", hint: "wait until it has ended, or end it")
    }
  }

  deinit {
    // Closing alone would not do where a child process is just being made and has the descriptor too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
