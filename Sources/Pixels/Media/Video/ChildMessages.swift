import Foundation
import Glibc
import Support

/// A child process's standard error, in an unlinked temporary file. A pipe would have to be read
/// continuously; a named file would be left behind if this process were killed.
final class ChildMessages {
  let descriptor: Int32
  private static let lengthRead = 4096

  /// - Throws: if the temporary file cannot be created.
  init() throws(RetakeError) {
    let path = FileManager.default.temporaryDirectory.path + "/retake-child-\(UUID().uuidString).log"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// The last line within the last 4096 bytes; nil if nothing was written.
  var lastLine: String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.lengthRead)
    let n = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, max(0, status.st_size - $0.count))
    }
    guard n > 0 else { return nil }
    let lines = String(decoding: bytes[..<n], as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let line = lines.last else { return nil }
    // ffmpeg's prefix has the address of its component, which differs in every run.
    guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return String(line) }
    return String(line[line.index(after: end)...].drop { $0 == " " })
  }
}
