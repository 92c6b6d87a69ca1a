import ChunkFormat
import Glibc
import Support

package final class FileSource: ByteSource {
  private let path: String
  private let descriptor: Int32
  package let byteCount: Int?

  package init(path: String) throws(RetakeError) {
    self.path = path
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    descriptor = try FileBytes.open("open", path, O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = FileBytes.failure("read", path)
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RetakeError(.corrupt, "\(path) is not a regular file.")
    }
    byteCount = Int(status.st_size)
  }

  deinit { close(descriptor) }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    let n = SystemCall.retried { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    guard n >= 0 else { throw FileBytes.failure("read", path) }
    return n
  }
}
