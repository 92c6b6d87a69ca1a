import Glibc

/// A file that appears complete or not at all: written beside its destination, then renamed by
/// `publish`. Until then an existing file stays unchanged. The new file takes over its permissions.
package final class FileReplacement {
  package private(set) var descriptor: Int32 = -1
  /// For a program that writes the file itself. Hidden, and with the same file extension.
  package let partialPath: String
  /// As given by the caller, for errors.
  private let path: String
  /// `path` with symbolic links resolved.
  private let target: String
  private var isPublished = false
  /// With the prefix, below the usual limit of 255 bytes.
  private static let nameByteCount = 240

  /// - Returns: nil for what has to be written in place: devices, pipes, open descriptors under
  ///   /dev, dangling links, and files that are read-only or in a read-only folder.
  /// - Throws: if the partial file cannot be created.
  package static func begin(_ path: String) throws(RetakeError) -> FileReplacement? {
    guard let target = target(of: path) else { return nil }
    return try FileReplacement(path, target)
  }

  /// Whether writing to a path would replace a file that is not empty.
  package static func replaces(_ path: String) -> Bool {
    var status = stat()
    return !isDescriptor(path) && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private init(_ path: String, _ target: String) throws(RetakeError) {
    self.path = path
    self.target = target
    let name = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    let ending = String(decoding: target[name...].utf8.suffix(Self.nameByteCount), as: UTF8.self)
    partialPath = target[..<name] + ".partial-" + ending
    try Self.removeLeftover(partialPath, of: path)
    descriptor = SystemCall.open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
    // Shows other programs that the file is being written. A file system may have no locks.
    _ = SystemCall.lock(descriptor, LOCK_EX | LOCK_NB)
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    // The owner stays the same where that is permitted.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// Removes the partial file of a killed process.
  /// - Throws: if another program is writing it.
  private static func removeLeftover(_ partialPath: String, of path: String) throws(RetakeError) {
    let leftover = SystemCall.open(partialPath, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    defer { if leftover >= 0 { close(leftover) } }
    if leftover >= 0, SystemCall.lock(leftover, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw writtenTwice(path)
    }
    unlink(partialPath)
  }

  /// - Parameter kind: what to give in its place.
  package static func writtenTwice(_ path: String, _ kind: String = "file") -> RetakeError {
    RetakeError(
      .beingWritten, "Another program is writing \(path).", hint: "wait until it has finished, or give another \(kind)")
  }

  deinit {
    // Another program may have taken the name by now.
    if !isPublished, isOwn == true { unlink(partialPath) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether the partial file is still the one that this object created.
  /// - Returns: nil if the file system does not tell, with the reason in `errno`.
  private var isOwn: Bool? {
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { return nil }
    guard lstat(partialPath, &named) == 0 else { return errno == ENOENT ? false : nil }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Renames the partial file to its destination.
  package func publish() throws(RetakeError) {
    guard let isOwn else { throw FileBytes.failure("write", path) }
    guard isOwn else { throw Self.writtenTwice(path) }
    let result = close(descriptor)
    let code = errno
    descriptor = -1
    // Some file systems report a full disk only at close.
    guard result == 0 || code == EINTR else {
      unlink(partialPath)
      throw FileBytes.failure("write", path, errno: code)
    }
    isPublished = true
    guard SystemCall.rename(partialPath, target) == 0 else {
      var error = FileBytes.failure("replace", path)
      error.hint = "the new contents are kept in \(partialPath)"
      throw error
    }
  }

  private static func target(of path: String) -> String? {
    guard !isDescriptor(path) else { return nil }
    var status = stat()
    guard let resolved = realpath(path, nil) else {
      // A new file, unless it is a dangling link.
      return lstat(path, &status) == 0 ? nil : path
    }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // A read-only file is not replaced either: writing in place reports the error.
    return access(Folder.parent(of: target), W_OK) == 0 && access(target, W_OK) == 0 ? target : nil
  }

  /// Paths to an already open file, which another program may be writing too.
  private static func isDescriptor(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/")
  }
}
