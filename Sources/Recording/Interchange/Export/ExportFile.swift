import ChunkFormat
import Glibc
import Support

/// An exported file, which appears when it is complete.
final class ExportFile: ByteSink {
  private let path: String
  private let replacement: FileReplacement

  /// - Throws: if the path exists, since nothing is overwritten, or another program is writing it.
  init(path: String) throws(RetakeError) {
    self.path = path
    try Self.checkIsFree(path)
    try Folder.makeParent(of: path)
    guard let replacement = try FileReplacement.begin(path) else {
      throw FileBytes.failure("create", path, errno: EEXIST)
    }
    self.replacement = replacement
  }

  /// Path while writing, for a child process that writes the file itself.
  var partialPath: String { replacement.partialPath }

  private static func checkIsFree(_ path: String) throws(RetakeError) {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw RetakeError(.inputOutput, "\(path) already exists.", hint: "name another file with --output")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: replacement.descriptor, path: path)
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    let descriptor = replacement.descriptor
    guard SystemCall.ftruncate(descriptor, byteCount) == 0, lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("truncate", path) }
  }

  func publish() throws(RetakeError) {
    try Self.checkIsFree(path)
    try replacement.publish()
  }
}
