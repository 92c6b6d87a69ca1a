import ChunkFormat
import Glibc
import RecordingStore
import Support

/// The file of a new bundle, in a temporary folder beside its destination until it is flushed.
package final class BundleOutput: ByteSink {
  private let path: String
  private let scratch: ScratchFolder
  private let partialPath: String
  private let descriptor: Int32

  /// - Parameter isShared: as for `BundleMaker`.
  /// - Throws: if the path exists: nothing is overwritten.
  package init(path: String, isShared: Bool = false) throws(RetakeError) {
    self.path = path
    try Self.checkIsFree(path)
    let scratch = try ScratchFolder(beside: path)
    let partialPath = scratch.path("bundle")
    self.scratch = scratch
    self.partialPath = partialPath
    descriptor = try FileBytes.open(
      "create", partialPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, isShared ? 0o666 : 0o600)
  }

  deinit { close(descriptor) }

  /// - Throws: if the path exists, even as a dangling link, or if its folder cannot be made.
  package static func checkIsFree(_ path: String) throws(RetakeError) {
    var status = stat()
    guard lstat(path, &status) != 0 else { throw taken(path) }
    try Folder.checkParent(of: path)
  }

  private static func taken(_ path: String) -> RetakeError {
    RetakeError(.inputOutput, "\(path) already exists.", hint: "choose another file with --output")
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: descriptor, path: path)
  }

  package func truncate(to byteCount: Int) throws(RetakeError) {
    guard SystemCall.ftruncate(descriptor, byteCount) == 0,
      lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw FileBytes.failure("cut back", partialPath) }
  }

  /// Flushes the file to disk and gives it its final name.
  package func publish() throws(RetakeError) {
    guard SystemCall.fsync(descriptor) == 0 else { throw FileBytes.failure("write", partialPath) }
    try giveName()
    // The folder must be flushed too. A folder without read permission is skipped.
    try? RealFileSystem().synchronizeFolder(Paths.folder(of: path))
  }

  /// Uses a hard link, which fails if the path exists by now. A rename would replace that file.
  private func giveName() throws(RetakeError) {
    if SystemCall.retried({ link(partialPath, path) }) == 0 { return }
    let code = errno
    switch code {
    case EEXIST: throw Self.taken(path)
    case EPERM, EOPNOTSUPP, ENOSYS:
      // A file system without hard links.
      try Self.checkIsFree(path)
      guard SystemCall.rename(partialPath, path) == 0 else {
        throw FileBytes.failure("rename", partialPath)
      }
    default: throw FileBytes.failure("create", path, errno: code)
    }
  }
}

enum Paths {
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension ScratchFolder {
  /// Beside a bundle that is being made.
  convenience init(beside path: String) throws(RetakeError) {
    try self.init(prefix: path + BundleFormat.workSuffix, family: BundleFormat.suffix + BundleFormat.workSuffix)
  }
}
