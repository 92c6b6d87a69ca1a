import Glibc
import Support

package struct RealFileSystem: FileSystem {
  package init() {}

  package func create(_ path: String) throws(RetakeError) -> any WritableFile { try RealFile(path) }

  package func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    guard replacing || access(newPath, F_OK) != 0 else { throw FileBytes.failure("create", newPath, errno: EEXIST) }
    guard SystemCall.rename(path, newPath) == 0 else { throw FileBytes.failure("rename", path) }
  }

  package func remove(_ path: String) throws(RetakeError) {
    guard SystemCall.retried({ unlink(path) }) != 0, errno != ENOENT else { return }
    let code = errno
    // A read-only file system says so also of a file that is not there.
    if code == EROFS, access(path, F_OK) != 0, errno == ENOENT { return }
    throw FileBytes.failure("remove", path, errno: code)
  }

  package func synchronizeFolder(_ path: String) throws(RetakeError) {
    let descriptor = try FileBytes.open("open", path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    guard SystemCall.fsync(descriptor) == 0 else { throw FileBytes.failure("flush", path) }
  }

  package func space(of path: String) -> (free: Int, total: Int)? {
    var status = statvfs()
    guard SystemCall.retried({ statvfs(path, &status) }) == 0 else { return nil }
    let unit = Int(status.f_frsize)
    return (Int(status.f_bavail) * unit, Int(status.f_blocks) * unit)
  }
}

private final class RealFile: WritableFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(RetakeError) {
    self.path = path
    descriptor = try FileBytes.open("create", path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    RecordingPermissions.share(descriptor, at: path)
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int {
    let n = SystemCall.retried { Glibc.write(descriptor, bytes.baseAddress!, bytes.count) }
    guard n > 0 else { throw FileBytes.failure("write", path) }
    return n
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    guard SystemCall.ftruncate(descriptor, byteCount) == 0,
      lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("truncate", path) }
  }

  func synchronize() throws(RetakeError) {
    guard SystemCall.retried({ fdatasync(descriptor) }) == 0 else { throw FileBytes.failure("flush", path) }
  }
}
