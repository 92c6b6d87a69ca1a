import FrameModel
import Glibc

/// A file of text that a command makes beside its work, or "-" for standard output.
struct TextOutput {
  let path: String
  init(_ path: String) { self.path = path }

  var isStandardOutput: Bool { path == "-" }

  /// Before work that may take long.
  /// - Throws: where the file cannot be made.
  func check(_ option: String) throws(RetakeError) {
    guard !isStandardOutput else { return }
    guard !path.isEmpty else {
      throw RetakeError(.usage, "\(option) names no file.", hint: "- is standard output")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw RetakeError(
        .notFound, "There is no folder \(folder) to make \(path) in.", hint: "make it, or name another with \(option)")
    }
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw RetakeError(.inputOutput, "\(path) is a folder.", hint: "name a file with \(option)")
    }
  }

  /// - Parameter text: ends with a line's end.
  func write(_ text: String, isQuiet: Bool) throws(RetakeError) {
    let bytes = Array(text.utf8)
    guard isStandardOutput else {
      try FileBytes.write(bytes, to: path)
      if !isQuiet { Terminal.say("wrote \(path)") }
      return
    }
    try bytes.withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: STDOUT_FILENO, path: "standard output")
    }
  }
}
