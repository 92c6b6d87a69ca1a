import Glibc

/// Creates and lists folders, with errors that name the path.
package enum Folder {
  /// Creates a folder and its missing parents. An existing folder is accepted.
  /// - Parameter permissions: of a new folder itself, less the umask.
  package static func make(_ path: String, permissions: mode_t = 0o755) throws(RetakeError) {
    if SystemCall.mkdir(path, permissions) == 0 { return }
    let code = errno
    if code == EEXIST { return }
    if code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try make(String(path[..<slash]))
      if SystemCall.mkdir(path, permissions) == 0 || errno == EEXIST { return }
    }
    throw FileBytes.failure("create", path)
  }

  /// Creates a folder or accepts an empty one, so that nothing is overwritten.
  package static func makeEmpty(_ path: String, permissions: mode_t = 0o755) throws(RetakeError) {
    try make(path, permissions: permissions)
    guard try names(in: path).isEmpty else { throw isNotEmpty(path) }
  }

  package static func isNotEmpty(_ path: String) -> RetakeError {
    RetakeError(.inputOutput, "\(path) exists and is not empty.", hint: "name another folder")
  }

  /// Whether two paths are of the same file or folder.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether the path still leads to what was opened: not if that was moved, removed or replaced.
  package static func isSame(_ path: String, asOpen descriptor: Int32) -> Bool {
    var (own, found) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &found) == 0 else { return false }
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }

  /// Creates the missing folders above a file that is about to be written.
  package static func makeParent(of path: String) throws(RetakeError) {
    try checkParent(of: path)
    try make(withoutTrailingSlash(parent(of: path)))
  }

  /// For work that writes its result at the end.
  /// - Throws: if `makeParent` would fail, since what exists above the file is no folder.
  package static func checkParent(of path: String) throws(RetakeError) {
    var folder = withoutTrailingSlash(parent(of: path))
    var status = stat()
    while stat(folder, &status) != 0 {
      guard errno == ENOENT || errno == ENOTDIR, lstat(folder, &status) != 0 else {
        throw FileBytes.failure("open", folder)
      }
      folder = withoutTrailingSlash(parent(of: folder))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw RetakeError(
        .inputOutput, "\(path) cannot be created: \(folder) is not a folder.", hint: "name another folder")
    }
  }

  package static func withoutTrailingSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The folder that a path lies in: up to and including its last slash, or "." without a slash.
  package static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  /// The first name of which nothing is there, for suggestions: `report.html`, else `report-2.html`, ….
  package static func freePath(_ stem: String, _ ending: String) -> String {
    func isFree(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) != 0 && errno == ENOENT
    }
    let whole = stem + ending
    guard !isFree(whole) else { return whole }
    return (2...1000).lazy.map { "\(stem)-\($0)\(ending)" }.first(where: isFree) ?? whole
  }

  /// "did you mean session.retake? ", of the names beside a path that does not exist; empty if none is near.
  /// - Parameter suffix: guesses only names with this ending.
  package static func guess(_ path: String, suffix: String = "") -> String {
    let name = String(path.split(separator: "/").last ?? "")
    let others = (try? names(in: parent(of: path), suffix: suffix)) ?? []
    guard others.count <= mostGuessedNames else { return "" }
    return Spelling.guess(name, in: others.filter { !$0.hasPrefix(".") }) { path.dropLast(name.count) + $0 }
  }

  private static let mostGuessedNames = 10_000

  /// The path from the root, without links in what exists of it and without a slash at its end.
  package static func absolute(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let (own, above) = (withoutTrailingSlash(path), withoutTrailingSlash(parent(of: withoutTrailingSlash(path))))
    guard above != own else { return own }
    let name = own.lastIndex(of: "/").map { own[own.index(after: $0)...] } ?? own[...]
    return (above == "/" ? "" : absolute(above)) + "/" + name
  }

  /// Names of a folder's entries except . and .., sorted by their bytes.
  /// - Parameter suffix: lists only names with this ending.
  package static func names(in path: String, suffix: String = "") throws(RetakeError) -> [String] {
    var opened = opendir(path)
    while opened == nil && errno == EINTR { opened = opendir(path) }
    guard let directory = opened else {
      guard errno == ENOTDIR else { throw FileBytes.failure("read", path) }
      throw PathKind.mismatch(path, wanted: .folder, code: .inputOutput)
        ?? RetakeError(.inputOutput, "\(path) is not a folder.", hint: "name a folder")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      // The end and an error both give nil; only the error sets errno.
      errno = 0
      guard let entry = readdir(directory) else {
        guard errno == 0 else { throw FileBytes.failure("read", path) }
        break
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." && (suffix.isEmpty || name.hasSuffix(suffix)) { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
