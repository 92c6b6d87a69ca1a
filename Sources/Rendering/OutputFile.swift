import FrameModel
import Glibc

/// A file that is written from front to back, or standard output.
final class OutputFile {
  private let path: String
  private let descriptor: Int32
  private let isStandardOutput: Bool
  private let patience: WritePatience
  /// A file takes everything; a pipe what its reader leaves room for.
  private let isFile: Bool

  /// - Parameters:
  ///   - path: "-" for standard output.
  ///   - patience: with a reader that takes nothing.
  init(path: String, patience: WritePatience) throws(RetakeError) {
    isStandardOutput = path == "-"
    self.path = isStandardOutput ? "standard output" : path
    self.patience = patience
    descriptor = isStandardOutput ? STDOUT_FILENO : try patience.open(path)
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if !isStandardOutput { close(descriptor) } }

  func write(_ text: String) throws(RetakeError) {
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in try write(bytes) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    if isFile {
      try FileBytes.writeAll(bytes, to: descriptor, path: path)
    } else {
      try patience.writeAll(bytes, to: descriptor, path: path)
    }
  }
}
