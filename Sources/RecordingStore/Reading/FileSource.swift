import ChunkFormat
import FrameModel
import Glibc

/// A file to read from, at any place.
final class FileSource: ByteSource {
  private let path: String
  private let descriptor: Int32
  /// When it was opened.
  let byteCount: Int?

  init(path: String) throws(RetakeError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    var status = stat()
    byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    while true {
      let n = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if n < 0 && errno == EINTR { continue }
      guard n >= 0 else { throw FileBytes.failure("read", path) }
      return n
    }
  }
}
