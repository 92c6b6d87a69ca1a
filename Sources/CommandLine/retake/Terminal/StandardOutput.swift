import FrameModel
@preconcurrency import Glibc
import Support
// `stdout` is a variable of C's, which nothing sets.

/// Writes a result to standard output. In place of Swift's own `print`, which does not say that a disk was full, and lets
/// words of strangers move the terminal's cursor.
/// - Throws: where not all of it could be written.
func print(_ text: String, terminator: String = "\n") throws(RetakeError) {
  try StandardOutput.write(text.printable + terminator)
}

enum StandardOutput {
  /// Writes a file's text as it is, but on a terminal.
  static func writeFile(_ text: String) throws(RetakeError) {
    try write(Terminal.outputIsTerminal ? text.replacing("\r\n", with: "\n").printable : text)
  }

  fileprivate static func write(_ text: String) throws(RetakeError) {
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: STDOUT_FILENO, path: "standard output")
    }
  }

  /// Makes the process exit with 1 where help or a version, which ArgumentParser prints, could not be written.
  static func checkAtExit() {
    atexit {
      guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
      Terminal.report(FileBytes.failure("write", "standard output"))
      _exit(ExitStatus.failed.rawValue)
    }
  }
}
