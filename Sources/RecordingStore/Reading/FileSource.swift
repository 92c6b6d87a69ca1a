import ChunkFormat
import FrameModel
import Glibc

/// A file that is read at any place. Serves one thread.
package final class FileSource: ByteSource {
  package let path: String
  /// As many as there were when the file was opened.
  package let byteCount: Int?
  private let descriptor: Int32

  package init(_ path: String) throws(RetakeError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    var status = stat()
    let failed = fstat(descriptor, &status) != 0
    let isFile = status.st_mode & S_IFMT == S_IFREG
    guard !failed, isFile else {
      defer { Glibc.close(descriptor) }
      if failed { throw FileBytes.failure("read", path) }
      throw RetakeError(.unsupported, "\(path) is not a file.")
    }
    self.path = path
    self.descriptor = descriptor
    byteCount = Int(status.st_size)
  }

  deinit { Glibc.close(descriptor) }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    while true {
      let n = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if n >= 0 { return n }
      guard errno == EINTR else { throw FileBytes.failure("read", path) }
    }
  }
}
