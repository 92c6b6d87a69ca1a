import FrameModel
import Glibc
import Support

/// A file of text that a command makes beside its work, or "-" for standard output.
struct TextOutput {
  let path: String
  /// Who named it.
  private let option: String
  /// Results of a sweep, which it must not be written over.
  private let results: String?
  private let existing: ExistingFiles
  /// Whether results that are there already may have been written to this file before.
  private let mayBeSame: Bool

  /// - Parameter mayBeSame: whether a file that has the same text already will do, so that the same command can be run again.
  init(
    _ path: String, _ option: String = "--output", besides results: String? = nil, _ existing: ExistingFiles,
    mayBeSame: Bool = false
  ) {
    (self.path, self.option, self.results, self.existing) = (path, option, results, existing)
    self.mayBeSame = mayBeSame
  }

  var isStandardOutput: Bool { path == "-" }

  /// Before work that may take long.
  /// - Throws: where the file cannot be made, or is there already; `.usage` where it is the results' own.
  func check() throws(RetakeError) {
    guard !isStandardOutput else { return }
    guard !path.isEmpty else {
      throw RetakeError(.usage, "\(option) names no file.", hint: "- is standard output")
    }
    try checkResults()
    let folder = Self.folder(path)
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw RetakeError(
        .notFound, "There is no folder \(folder) to make \(path) in.", hint: "make it, or name another with \(option)")
    }
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw RetakeError(.inputOutput, "\(path) is a folder.", hint: "name a file with \(option)")
    }
    if !mayBeSame { try existing.check(path) }
  }

  /// - Parameter text: ends with a line's end.
  func write(_ text: String, isQuiet: Bool) throws(RetakeError) {
    guard !isStandardOutput else { return try StandardOutput.writeFile(text) }
    let bytes = Array(text.utf8)
    // Again: what was not there at first may be by now, under another name.
    try checkResults()
    if mayBeSame && (try? FileBytes.read(path)) != bytes { try existing.check(path) }
    try FileBytes.write(bytes, to: path)
    if !isQuiet { Terminal.say("wrote \(path)") }
  }

  private func checkResults() throws(RetakeError) {
    guard let results else { return }
    // Of results that are not there yet the place is compared.
    let isSamePlace = Self.name(path) == Self.name(results) && Self.isSame(Self.folder(path), Self.folder(results))
    guard path == results || isSamePlace || Self.isSame(path, results) else { return }
    throw RetakeError(
      .usage, "\(option) would write over the results in \(results).", hint: "name another file with \(option)")
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  private static func folder(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  private static func name(_ path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }
}
