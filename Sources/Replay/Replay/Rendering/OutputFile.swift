import Glibc
import Support

/// An output written from front to back: standard output, or a file that appears when finished.
final class OutputFile {
  private let path: String
  /// Nil for an output written in place: standard output, a pipe or a device.
  private let replacement: FileReplacement?
  private let descriptor: Int32
  private let isStandardOutput: Bool
  private let patience: WritePatience
  /// Writes to a regular file do not block; a pipe may be full.
  private let isFile: Bool

  /// - Parameter path: "-" for standard output.
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

  func finish() throws(RetakeError) { try replacement?.publish() }
}
