import Glibc
import Support

/// The place of an output that the command line does not name.
enum UnnamedOutput {
  /// - Throws: `.inputOutput` if nothing can be written into its folder; the hint names the option.
  static func check(_ path: String) throws(RetakeError) {
    guard access(Folder.parent(of: path), W_OK) != 0 else { return }
    let code = errno
    // Other failures are reported when the file is opened.
    guard code == EACCES || code == EROFS else { return }
    let failure = FileBytes.failure("create", path, errno: code)
    throw RetakeError(
      failure.code, failure.message,
      hint: failure.hint.replacing("give another path", with: "name another path with -o"))
  }
}
