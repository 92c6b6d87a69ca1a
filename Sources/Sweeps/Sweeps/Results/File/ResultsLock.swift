import FrameModel
import Glibc
import Support
import Synchronization

/// Keeps two sweeps from writing to one results file, until `release()` or the process ends.
///
/// An open file description lock on one byte far behind those that SQLite locks. It does not affect
/// SQLite's own locks, on network file systems either.
final class ResultsLock {
  private let descriptor: Int32
  private let place: Place
  private let path: String

  /// Files locked by this process. It must not open one again: closing the second descriptor would
  /// end SQLite's POSIX locks on it.
  private static let held = Mutex<Set<Place>>([])

  private struct Place: Hashable {
    var device: UInt
    var number: UInt
    init(_ status: stat) { (device, number) = (UInt(status.st_dev), UInt(status.st_ino)) }
  }

  /// Creates and locks an empty file, and the missing folders above it; throws if the path exists.
  static func create(_ path: String) throws(RetakeError) -> ResultsLock {
    try Folder.makeParent(of: path)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw FileBytes.failure("create", path) }
      throw exists(path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw FileBytes.failure("read", path)
    }
    return try ResultsLock(path, descriptor, Place(status))
  }

  /// Also takes a file that is still empty after its maker was killed. The caller checks that.
  static func createOrTakeEmpty(_ path: String) throws(RetakeError) -> ResultsLock {
    do throws(RetakeError) {
      try regularFile(path)
    } catch  where error.code == .notFound {
      return try create(path)
    }
    return try open(path)
  }

  static func exists(_ path: String) -> RetakeError {
    RetakeError(.inputOutput, "\(path) already exists and is not overwritten.", hint: "choose another file with -o")
  }

  static func open(_ path: String) throws(RetakeError) -> ResultsLock {
    let place = Place(try regularFile(path))
    guard !held.withLock({ $0.contains(place) }) else { throw inUse(path) }
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
    return try ResultsLock(path, descriptor, place)
  }

  /// - Throws: `.notFound`; `.unsupported` for a folder, a pipe or a device, which could block.
  @discardableResult
  static func regularFile(_ path: String) throws(RetakeError) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    if let wrong = PathKind.mismatch(path, wanted: .results, code: .unsupported) { throw wrong }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is not a regular file.", hint: "give the file that retake sweep made")
    }
    return status
  }

  private init(_ path: String, _ descriptor: Int32, _ place: Place) throws(RetakeError) {
    (self.path, self.descriptor, self.place) = (path, descriptor, place)
    guard Self.held.withLock({ $0.insert(place).inserted }) else {
      close(descriptor)
      throw Self.inUse(path)
    }
    guard Self.lock(descriptor, Int16(F_WRLCK)) else {
      let code = errno
      Self.held.withLock { _ = $0.remove(place) }
      close(descriptor)
      throw code == EAGAIN || code == EACCES ? Self.inUse(path) : FileBytes.failure("lock", path, errno: code)
    }
  }

  /// Call it before `release`, while no other sweep can have begun to write.
  func removeFile() {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
  }

  /// Call it only after SQLite has closed the file.
  func release() {
    guard Self.held.withLock({ $0.remove(place) }) != nil else { return }
    // A child process that is being started may share the descriptor, so closing is not enough.
    _ = Self.lock(descriptor, Int16(F_UNLCK))
    close(descriptor)
  }

  private static func inUse(_ path: String) -> RetakeError {
    RetakeError(
      .busy, "Another sweep is writing to \(path).",
      hint: "wait until it has ended, or choose another file with -o; parts of the same sweep can be merged")
  }

  private static func lock(_ descriptor: Int32, _ type: Int16) -> Bool {
    // F_OFD_SETLK of fcntl.h, which depends on a macro that Swift does not set.
    let setOpenFileLock: Int32 = 37
    var range = Glibc.flock()
    range.l_type = type
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 1 << 40
    range.l_len = 1
    return withUnsafeMutablePointer(to: &range) { range in
      SystemCall.retried { fcntl(descriptor, setOpenFileLock, UnsafeMutableRawPointer(range)) }
    } == 0
  }
}
