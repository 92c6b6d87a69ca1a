/// What went wrong, with what, and what the user can do about it. One type for all modules, so that
/// the command line can turn any failure into a sentence, a hint and an exit code.
package struct RetakeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Invalid command line words, device specification or parameter.
    case usage
    /// A named file, folder, stream or device does not exist.
    case notFound = "not-found"
    /// Something exists but is invalid or incomplete.
    case corrupt
    /// Valid, but not supported by this version.
    case unsupported
    case device
    /// The camera is gone or has to be reopened; it may come back.
    case disconnected
    /// The operating system failed to read or write.
    case inputOutput = "input-output"
    /// The program that reads a pipe has exited.
    case readerGone = "reader-gone"
    /// Another process is at work on it.
    case busy
    /// Another program is writing the same file or folder, for as long as it runs.
    case beingWritten = "being-written"
    /// No space left, or less than the recorder keeps free.
    case diskFull = "disk-full"
    /// A program that Retake runs, such as ffmpeg, failed.
    case childProcess = "child-process"
  }

  package var code: Code
  /// One sentence that names the thing: a path, a device, a parameter.
  package var message: String
  /// The next step, one sentence; may be empty.
  package var hint: String

  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    // Both name files and folders of strangers.
    self.message = message.withoutLineFeeds
    self.hint = hint.withoutLineFeeds
  }

  package var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }
}
