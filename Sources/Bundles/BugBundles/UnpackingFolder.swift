import Foundation
import Glibc
import Support

/// The folder that a bundle is unpacked into.
struct UnpackingFolder {
  let path: String
  /// Whether the folder was created for this bundle.
  let isNew: Bool
  /// Whether other users may read its files, as the umask allows.
  let isShared: Bool

  /// Writes a new file. Overwrites nothing and follows no symbolic links.
  /// - Parameter name: relative to the folder; its own folders are created.
  func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(RetakeError) {
    var made = path
    for folder in name.split(separator: "/").dropLast() {
      made += "/" + folder
      var status = stat()
      let isMade = SystemCall.mkdir(made, isShared ? 0o777 : 0o700) == 0
      guard isMade || lstat(made, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR else {
        throw FileBytes.failure("create", made)
      }
    }
    let file = path + "/" + name
    let descriptor = try FileBytes.open(
      "create", file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, isShared ? 0o666 : 0o600)
    defer { close(descriptor) }
    try FileBytes.writeAll(bytes, to: descriptor, path: file)
  }

  func write(_ text: String, to name: String) throws(RetakeError) {
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in try write(bytes, to: name) }
  }

  /// Empties the folder, or removes it if it was new, so that unpacking can be retried.
  func clear() {
    guard let names = try? Folder.names(in: path) else { return }
    for name in names { try? FileManager.default.removeItem(atPath: path + "/" + name) }
    if isNew { rmdir(path) }
  }

  /// Checks that the disk has room. Parts are not compressed, so they need as much as the bundle, and the
  /// index is small.
  func checkRoom(for byteCount: Int, _ bundle: String) throws(RetakeError) {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return }
    let (free, isTooLarge) = Int(disk.f_bavail).multipliedReportingOverflow(by: Int(disk.f_frsize))
    guard isTooLarge || free > byteCount else {
      throw RetakeError(
        .diskFull,
        "Too little free space in \(path) to unpack \(bundle): it needs \(byteCount) bytes, \(free) are free.",
        hint: "free some space, or unpack on another disk: the one of --keep, otherwise that of TMPDIR")
    }
  }
}
