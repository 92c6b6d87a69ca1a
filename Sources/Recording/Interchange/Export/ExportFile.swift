import ChunkFormat
import Glibc
import Support

/// An exported file: `PATH.partial` until it is complete, deleted if the export fails.
final class ExportFile: ByteSink {
  private let path: String
  /// Path while writing, for a child process that writes the file itself.
  let partialPath: String
  private let descriptor: Int32
  private var isPublished = false

  /// - Throws: if the path exists; nothing is overwritten.
  init(path: String) throws(RetakeError) {
    self.path = path
    partialPath = path + ".partial"
    guard access(path, F_OK) != 0 else {
      throw RetakeError(.inputOutput, "\(path) already exists.", hint: "name another file with --output")
    }
    try Folder.makeParent(of: path)
    descriptor = SystemCall.open(partialPath, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("create", path) }
  }

  deinit {
    close(descriptor)
    if !isPublished { unlink(partialPath) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: descriptor, path: path)
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    guard SystemCall.ftruncate(descriptor, byteCount) == 0, lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("truncate", partialPath) }
  }

  func publish() throws(RetakeError) {
    guard SystemCall.rename(partialPath, path) == 0 else { throw FileBytes.failure("rename", partialPath) }
    isPublished = true
  }
}
