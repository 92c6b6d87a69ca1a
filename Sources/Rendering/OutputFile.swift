import FrameModel
import Glibc

/// A file that is written from front to back, or standard output.
final class OutputFile {
  private let path: String
  private let descriptor: Int32
  private let isStandardOutput: Bool

  /// - Parameter path: "-" for standard output.
  init(path: String) throws(RetakeError) {
    isStandardOutput = path == "-"
    self.path = isStandardOutput ? "standard output" : path
    descriptor =
      isStandardOutput ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
  }

  deinit { if !isStandardOutput { close(descriptor) } }

  func write(_ text: String) throws(RetakeError) {
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in try write(bytes) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: descriptor, path: path)
  }
}
