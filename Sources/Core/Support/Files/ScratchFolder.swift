import Foundation
import Glibc
import Synchronization

/// A temporary folder, removed with its owner or when the process exits. Folders of killed
/// processes are removed when the next one is made in the same place.
package final class ScratchFolder: Sendable {
  package let path: String
  /// Locked while the folder is in use; -1 if the file system has no locks.
  private let descriptor: Int32

  private static let open = Mutex<Set<String>>([])
  private static let removesAtExit: Void = {
    atexit { ScratchFolder.removeAll() }
  }()
  /// Random letters and digits from mkdtemp.
  private static let letters = "XXXXXX"

  /// - Parameter family: the end of `prefix`, by which abandoned folders are recognised.
  package init(prefix: String, family: String) throws(RetakeError) {
    precondition(prefix.hasSuffix(family))
    _ = Self.removesAtExit
    let folder = Folder.parent(of: prefix)
    Self.removeAbandoned(in: folder, family)
    var attempt = 0
    while true {
      var template = Array((prefix + Self.letters).utf8CString)
      guard mkdtemp(&template) != nil else {
        if errno == EINTR { continue }
        throw FileBytes.failure("create", prefix)
      }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Until it is locked, another process may take the folder for an abandoned one.
      if let descriptor = Self.lock(path) ?? (Self.hasLocks(path) ? nil : -1) {
        (self.path, self.descriptor) = (path, descriptor)
        break
      }
      attempt += 1
      guard attempt < 16 else { throw FileBytes.failure("lock", path) }
    }
    let path = path
    Self.open.withLock { _ = $0.insert(path) }
  }

  package convenience init(named name: String) throws(RetakeError) {
    let folder = NSTemporaryDirectory()
    guard access(folder, W_OK | X_OK) == 0 else {
      throw RetakeError(
        .inputOutput, "No temporary folder can be made in \(folder): \(String(cString: strerror(errno))).",
        hint: "set TMPDIR to a folder that can be written")
    }
    try self.init(prefix: folder + "\(name)-", family: "\(name)-")
  }

  deinit {
    let path = path
    Self.open.withLock { _ = $0.remove(path) }
    Self.remove(path)
    if descriptor >= 0 { close(descriptor) }
  }

  package func path(_ name: String) -> String { path + "/" + name }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  private static func removeAll() {
    let paths = open.withLock { $0 }
    for path in paths { remove(path) }
  }

  /// - Returns: nil if another process holds or removed the folder. The lock ends with the process.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = SystemCall.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    var (own, named) = (stat(), stat())
    guard SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &own) == 0,
      lstat(path, &named) == 0,
      own.st_ino == named.st_ino, own.st_dev == named.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func hasLocks(_ path: String) -> Bool {
    let descriptor = SystemCall.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno == EWOULDBLOCK
  }

  /// Removes this user's folders of a family whose process is gone.
  private static func removeAbandoned(in folder: String, _ family: String) {
    for name in (try? Folder.names(in: folder)) ?? [] {
      let stem = name.dropLast(letters.count)
      let end = name.dropFirst(stem.count)
      guard stem.hasSuffix(family), end.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { continue }
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        let descriptor = lock(path)
      else { continue }
      remove(path)
      close(descriptor)
    }
  }
}
