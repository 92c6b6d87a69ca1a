internal import FrameModel
internal import Support

/// Why a bundle could not be opened or replayed. Different output is no error.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that names the file.
  public let message: String
  /// The next step; may be empty.
  public let hint: String

  public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }

  static func publicly<Result>(_ body: () throws(RetakeError) -> Result) throws(BundleError) -> Result {
    do throws(RetakeError) { return try body() } catch {
      throw BundleError(message: error.message, hint: error.hint)
    }
  }
}
