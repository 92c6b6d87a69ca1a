/// What went wrong, where, and what a person can do about it.
///
/// One type serves every room, so that the command line can turn any failure into one sentence, a hint and an
/// exit code without knowing where it came from.
package struct RetakeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The words of a command, a device specification or a parameter are off.
    case usage
    /// A file, folder, stream or device that was named is not there.
    case notFound = "not-found"
    /// Something is there but is not what it should be, or not whole.
    case corrupt
    /// Understood, but not something this version can do.
    case unsupported
    /// A camera failed.
    case device
    /// A camera that was there is gone, or has to be opened again; it may come back.
    case disconnected
    /// The operating system refused to read or write.
    case inputOutput = "input-output"
    /// No room left, or less than the recorder keeps free.
    case diskFull = "disk-full"
    /// A program that Retake runs (ffmpeg) failed.
    case childProcess = "child-process"
  }

  package var code: Code
  /// One sentence that names the thing: a path, a device, a parameter.
  package var message: String
  /// The next step, one sentence. Empty where there is none to give.
  package var hint: String

  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }

  package var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }
}
