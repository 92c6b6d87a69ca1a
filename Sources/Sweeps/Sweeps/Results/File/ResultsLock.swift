import FrameModel
import Glibc
import Support
import Synchronization

/// Keeps two sweeps out of one results file; readers are not kept out. Ends with its owner, and with its process.
///
/// A lock of one byte far behind what SQLite locks, and of the open file rather than of the process: SQLite's own locks, which
/// go with a transaction, are not touched, on network file systems neither.
final class ResultsLock {
  private let descriptor: Int32
  private let place: Place
  private let path: String

  /// Those of this process. It must not even open a second one: closing it would end SQLite's locks of the first.
  private static let held = Mutex<Set<Place>>([])

  private struct Place: Hashable {
    var device: UInt
    var number: UInt
    init(_ status: stat) { (device, number) = (UInt(status.st_dev), UInt(status.st_ino)) }
  }

  /// Makes an empty file.
  /// - Throws: where something is there already.
  static func create(_ path: String) throws(RetakeError) -> ResultsLock {
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

  /// Makes an empty file, or takes one that may be: whoever made it was killed before anything was in it. The caller looks.
  static func createOrTakeEmpty(_ path: String) throws(RetakeError) -> ResultsLock {
    do throws(RetakeError) {
      try regularFile(path)
    } catch  where error.code == .notFound {
      return try create(path)
    }
    return try open(path)
  }

  static func exists(_ path: String) -> RetakeError {
    RetakeError(.inputOutput, "\(path) exists, and nothing is written over.", hint: "name another file with -o")
  }

  static func open(_ path: String) throws(RetakeError) -> ResultsLock {
    let place = Place(try regularFile(path))
    guard !held.withLock({ $0.contains(place) }) else { throw inUse(path) }
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
    return try ResultsLock(path, descriptor, place)
  }

  /// - Throws: `.notFound`; `.unsupported` for a folder, a pipe or a device, which SQLite would wait for.
  @discardableResult
  static func regularFile(_ path: String) throws(RetakeError) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is not a file.", hint: "give the file that retake sweep made")
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

  /// Takes away the file that `create` made. Before `release`, so that nobody has begun to write into it.
  func removeFile() {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
  }

  /// Lets others in. Only when SQLite has closed the file.
  func release() {
    guard Self.held.withLock({ $0.remove(place) }) != nil else { return }
    // Closing alone would not do where a child process is just being made and has the descriptor too.
    _ = Self.lock(descriptor, Int16(F_UNLCK))
    close(descriptor)
  }

  private static func inUse(_ path: String) -> RetakeError {
    RetakeError(
      .inputOutput, "Another sweep is writing to \(path).",
      hint: "wait until it has ended, or name another file with -o and merge both afterwards")
  }

  private static func lock(_ descriptor: Int32, _ type: Int16) -> Bool {
    // F_OFD_SETLK of fcntl.h, which is only there with a macro that Swift does not set.
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
