import FrameModel
import Glibc
import Support

/// A text file that a command writes beside its work, or "-" for standard output.
struct TextOutput {
  let path: String
  /// The option that named it.
  var option = "--output"
  /// Results of a sweep that must not be overwritten.
  let results: String
  let existing: ExistingFiles
  /// Whether to accept an existing file with the same text, to repeat a command.
  var mayBeSame = false

  var isStandardOutput: Bool { path == "-" }
  /// Nil for standard output.
  var file: String? { isStandardOutput ? nil : path }

  /// Run before work that may take long.
  /// - Throws: if the file cannot be made or may not be replaced; `.usage` if it is the results'
  ///   own.
  func check() throws(RetakeError) {
    guard !isStandardOutput else { return }
    guard !path.isEmpty else {
      throw RetakeError(.usage, "\(option) is empty.", hint: "- is standard output")
    }
    try checkResults()
    try Self.checkPlace(path, option)
    if !mayBeSame || existing.force { try existing.check(path) }
  }

  /// - Throws: if a file cannot be made there. Missing folders are made when it is written.
  static func checkPlace(_ path: String, _ option: String) throws(RetakeError) {
    try Folder.checkParent(of: path)
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw RetakeError(.inputOutput, "\(path) is a folder.", hint: "name a file with \(option)")
    }
  }

  /// - Parameter text: ends with a line feed.
  func write(_ text: String, isQuiet: Bool) throws(RetakeError) {
    guard !isStandardOutput else { return try StandardOutput.writeFile(text) }
    let bytes = Array(text.utf8)
    // Again, since the results may exist by now under another name.
    try checkResults()
    if mayBeSame && (try? FileBytes.read(path)) != bytes { try existing.check(path) }
    try Folder.makeParent(of: path)
    try FileBytes.write(bytes, to: path)
    if !isQuiet { Terminal.say("wrote \(path)") }
  }

  private func checkResults() throws(RetakeError) {
    guard Self.areSame(path, results) else { return }
    throw RetakeError(
      .usage, "\(option) would overwrite the results in \(results).", hint: "name another file with \(option)")
  }

  /// Whether it is there and takes what is written without keeping it, as /dev/null does.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Files that do not exist yet are compared by folder and name.
  static func areSame(_ a: String, _ b: String) -> Bool {
    a == b || Folder.isSame(a, b) || name(a) == name(b) && Folder.isSame(Folder.parent(of: a), Folder.parent(of: b))
  }

  private static func name(_ path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }
}
