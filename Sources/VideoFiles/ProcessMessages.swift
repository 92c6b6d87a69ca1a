import Foundation
import Glibc

/// What a child process says to its standard error, in a file without a name: a pipe would have to be read all the time, and a
/// name would be left behind by who is killed.
final class ProcessMessages {
  let handle: FileHandle

  init() {
    let file = tmpfile()
    let descriptor = file.map { fcntl(fileno($0), F_DUPFD_CLOEXEC, 0) } ?? -1
    if let file { fclose(file) }
    handle = descriptor < 0 ? .nullDevice : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The last line, as far as the last 4096 bytes hold it.
  var lastLine: String? {
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let n = bytes.withUnsafeMutableBytes {
      pread(handle.fileDescriptor, $0.baseAddress, $0.count, max(0, status.st_size - $0.count))
    }
    guard n > 0 else { return nil }
    return String(decoding: bytes[..<n], as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
  }
}
