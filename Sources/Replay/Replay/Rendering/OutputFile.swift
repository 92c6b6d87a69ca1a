import FrameModel
import Glibc
import Support

/// A file that is written from front to back and is there when it is whole, or standard output.
final class OutputFile {
  private let path: String
  /// Nil for what is written in place: standard output, pipes and devices.
  private let replacement: FileReplacement?
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
    replacement = isStandardOutput ? nil : try FileReplacement.begin(path)
    if let replacement {
      descriptor = replacement.descriptor
    } else {
      descriptor = isStandardOutput ? STDOUT_FILENO : try patience.open(path)
    }
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if !isStandardOutput && replacement == nil { close(descriptor) } }

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

  /// After the last byte. A file that is not finished is removed.
  func finish() throws(RetakeError) { try replacement?.publish() }
}
