import FrameModel
import Glibc
import Support

/// Who may read a recording.
///
/// Recordings show people and their rooms: a new one is its owner's alone (0700, files 0600), unless it is made to be shared,
/// and then as the umask says. Whatever is made in a recording later, by whom and with whatever umask, is as readable as the
/// recording's folder: marks that others cannot read would make the recording look damaged to them.
enum RecordingPermissions {
  /// Makes a folder below a recording's, and those between them.
  static func make(_ path: String, in folder: String) throws(RetakeError) {
    var made = folder
    for name in path.dropFirst(folder.count).split(separator: "/") {
      let above = made
      made += "/" + name
      if SystemCall.retried({ mkdir(made, 0o700) }) != 0 {
        if errno == EEXIST { continue }
        throw FileBytes.failure("create", made)
      }
      var status = stat()
      if stat(above, &status) == 0 { chmod(made, status.st_mode & 0o777 | 0o700) }
    }
  }

  /// Gives a new file as many readers as its folder has. Writing stays its owner's.
  static func share(_ descriptor: Int32, at path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var status = stat()
    // Not every file system has permissions.
    if stat(folder, &status) == 0 { fchmod(descriptor, status.st_mode & 0o044 | 0o600) }
  }

  /// Makes an empty file for SQLite, which takes over its permissions for the files beside it.
  static func makeDatabase(_ path: String) throws(RetakeError) {
    let descriptor = SystemCall.retried { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw FileBytes.failure("create", path) }
    defer { close(descriptor) }
    share(descriptor, at: path)
  }
}
