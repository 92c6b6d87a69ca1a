import Glibc
import Support

/// File permissions of recordings.
///
/// Recordings show people and their rooms. A new one is therefore private to its owner (0700, files
/// 0600), unless it is shared; then the umask applies. Files added later are as readable as the
/// folder: marks that other users cannot read would make the recording look damaged to them.
enum RecordingPermissions {
  /// Creates a folder inside a recording's folder, and those between, with the parent's
  /// permissions.
  /// - Throws: if one of them exists and is not a folder: a symbolic link may lead to the files of others.
  static func make(_ path: String, in folder: String) throws(RetakeError) {
    var made = folder
    for name in path.dropFirst(folder.count).split(separator: "/") {
      let above = made
      made += "/" + name
      var status = stat()
      if SystemCall.mkdir(made, 0o700) != 0 {
        guard errno == EEXIST else { throw FileBytes.failure("create", made) }
        guard lstat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
          throw RetakeError(.inputOutput, "\(made) is not a folder.", hint: "move it out of \(folder)")
        }
        continue
      }
      if stat(above, &status) == 0 { chmod(made, status.st_mode & 0o777 | 0o700) }
    }
  }

  /// Gives a new file the read permissions of its folder. Only the owner may write.
  static func share(_ descriptor: Int32, at path: String) {
    var status = stat()
    // Errors are ignored: not every file system has permissions.
    if stat(Folder.parent(of: path), &status) == 0 { fchmod(descriptor, status.st_mode & 0o044 | 0o600) }
  }

  /// Creates an empty file for SQLite, which copies its permissions to the files beside it.
  static func makeDatabase(_ path: String) throws(RetakeError) {
    let descriptor = try FileBytes.open("create", path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    defer { close(descriptor) }
    share(descriptor, at: path)
  }
}
