@preconcurrency import Glibc
import Support

// `@preconcurrency`: C declares `stdout` as a variable, but nothing sets it.

/// Writes a result to standard output. Unlike Swift's `print`, it reports write errors and replaces
/// control characters, which a stranger's text may contain.
func print(_ text: String, terminator: String = "\n") throws(RetakeError) {
  try StandardOutput.write(text.printable + terminator)
}

/// Writes sentences to standard output, on a terminal broken at its width.
func printSentences(_ text: String) throws(RetakeError) {
  try print(Format.fitted(text.printable, Terminal.outputColumns))
}

enum StandardOutput {
  /// Writes a file's text unchanged, except on a terminal.
  static func writeFile(_ text: String) throws(RetakeError) {
    try write(Terminal.outputIsTerminal ? text.replacing("\r\n", with: "\n").printable : text)
  }

  fileprivate static func write(_ text: String) throws(RetakeError) {
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: STDOUT_FILENO, path: "standard output")
    }
  }

  /// Exits with 1 if ArgumentParser's output, help or a version, could not be written. One that reads its begin alone, such
  /// as 'head', has what it wants.
  static func checkAtExit() {
    atexit {
      guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
      let failure = FileBytes.failure("write", "standard output")
      guard failure.code != .readerGone else { return }
      Terminal.report(failure)
      _exit(ExitStatus.failed.rawValue)
    }
  }
}
