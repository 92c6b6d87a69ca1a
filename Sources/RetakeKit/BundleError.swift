internal import FrameModel
internal import Support

/// Why a bundle could not be opened or replayed. That its output is another is no error, but a `ReproductionResult`.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that names the file.
  public let message: String
  /// The next step; empty where there is none to give.
  public let hint: String

  public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }

  static func publicly<Result>(_ body: () throws(RetakeError) -> Result) throws(BundleError) -> Result {
    do throws(RetakeError) { return try body() } catch {
      throw BundleError(message: error.message, hint: error.hint)
    }
  }
}
