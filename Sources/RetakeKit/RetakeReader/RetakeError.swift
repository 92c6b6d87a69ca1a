package import Support

/// What went wrong, with what, and what can be done about it.
public struct RetakeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. Later versions may add kinds, so a `switch` needs a default.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An invalid argument, parameter name or value.
    public static let usage = Code(rawValue: "usage")
    /// A file, folder, stream or device does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// Something exists but is invalid or incomplete.
    public static let corrupt = Code(rawValue: "corrupt")
    /// Valid, but not supported by this version, or not by this recording.
    public static let unsupported = Code(rawValue: "unsupported")
    /// A camera or another source of frames failed.
    public static let device = Code(rawValue: "device")
    /// The camera is gone; it may come back.
    public static let disconnected = Code(rawValue: "disconnected")
    /// The operating system failed to read or write.
    public static let inputOutput = Code(rawValue: "input-output")
    /// Another process is using it.
    public static let busy = Code(rawValue: "busy")
    /// Another program is writing the same file or folder.
    public static let beingWritten = Code(rawValue: "being-written")
    /// No space left, or less than the recorder keeps free.
    public static let diskFull = Code(rawValue: "disk-full")
    /// A program that Retake runs, such as ffmpeg, failed.
    public static let childProcess = Code(rawValue: "child-process")
  }

  public let code: Code
  /// One sentence that names the thing: a path, a frame, a parameter.
  public let message: String
  /// The next step, one sentence; may be empty.
  public let hint: String

  public init(_ code: Code, _ message: String, hint: String = "") {
    (self.code, self.message, self.hint) = (code, message, hint)
  }

  public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }

  package init(_ error: Support.RetakeError) {
    self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
  }

  /// - Parameter code: for kinds that the rooms inside do not have.
  package func inside(or code: Support.RetakeError.Code = .device) -> Support.RetakeError {
    Support.RetakeError(.init(rawValue: self.code.rawValue) ?? code, message, hint: hint)
  }

  /// Runs code of the rooms inside.
  package static func publicly<Result>(
    _ body: () throws(Support.RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(Support.RetakeError) { return try body() } catch { throw RetakeError(error) }
  }
}
