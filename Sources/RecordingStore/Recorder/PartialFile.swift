import ChunkFormat
import FrameModel
import Glibc

/// A chunk file while it is written: `NAME.partial`, which gets its name when all of it is on the disk.
final class PartialFile: ByteSink, @unchecked Sendable {
  // Unchecked because of the descriptor: the writer thread has it until the finisher takes it over, never both.
  private let finalPath: String
  private let folderPath: String
  private let partialPath: String
  private let descriptor: Int32

  static let suffix = ".partial"
  /// While a repair writes it.
  static let recoveringSuffix = ".recovering"

  init(finalPath: String, folderPath: String, suffix: String = PartialFile.suffix) throws(RetakeError) {
    self.finalPath = finalPath
    self.folderPath = folderPath
    partialPath = finalPath + suffix
    descriptor = open(partialPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("create", partialPath) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: descriptor, path: partialPath)
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0, lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("cut back", partialPath) }
  }

  /// Flushes the contents, gives the file its name and flushes the name.
  func publish() throws(RetakeError) {
    guard fdatasync(descriptor) == 0 else { throw FileBytes.failure("flush", partialPath) }
    guard rename(partialPath, finalPath) == 0 else { throw FileBytes.failure("rename", partialPath) }
    try RecordingFolder.synchronize(folderPath)
  }
}
