import FrameModel
import Glibc

/// The machine's own files.
package struct RealFileSystem: FileSystem {
  package init() {}

  package func create(_ path: String) throws(RetakeError) -> any WritableFile { try RealFile(path) }

  package func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    guard replacing || access(newPath, F_OK) != 0 else { throw FileBytes.failure("create", newPath, errno: EEXIST) }
    guard Glibc.rename(path, newPath) == 0 else { throw FileBytes.failure("rename", path) }
  }

  package func remove(_ path: String) throws(RetakeError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw FileBytes.failure("remove", path) }
  }

  package func synchronizeFolder(_ path: String) throws(RetakeError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileBytes.failure("flush", path) }
  }

  package func space(of path: String) -> (free: Int, total: Int)? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let unit = Int(status.f_frsize)
    return (Int(status.f_bavail) * unit, Int(status.f_blocks) * unit)
  }
}

private final class RealFile: WritableFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(RetakeError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("create", path) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int {
    while true {
      let n = Glibc.write(descriptor, bytes.baseAddress!, bytes.count)
      if n < 0 && errno == EINTR { continue }
      guard n > 0 else { throw FileBytes.failure("write", path) }
      return n
    }
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0, lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("cut back", path) }
  }

  func synchronize() throws(RetakeError) {
    guard fdatasync(descriptor) == 0 else { throw FileBytes.failure("flush", path) }
  }
}
