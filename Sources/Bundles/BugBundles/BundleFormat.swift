import ChunkFormat
import FrameModel
import Support

/// A bug bundle is an MCAP file with only attachments, and one metadata record with the format.
enum BundleFormat {
  static let profile = "retake-bundle"
  static let metadataName = "retake.bundle"
  static let versionKey = "format_version"
  package static let suffix = ".retake-bundle"
  /// Suffix of the folder beside a bundle that exists while the bundle is being made.
  static let workSuffix = ".work-"

  static var metadata: MCAPMetadata {
    MCAPMetadata(name: metadataName, entries: [.init(versionKey, "\(BundleDescription.formatVersion)")])
  }

  /// - Throws: `.unsupported` for a later format, `.corrupt` if none is given.
  static func check(_ metadata: MCAPMetadata, of name: String) throws(RetakeError) {
    guard metadata.name == metadataName,
      let version = metadata.entries.first(where: { $0.name == versionKey }).flatMap({ Int($0.value) }), version > 0
    else { throw RetakeError(.corrupt, "\(name) does not state its format version.", hint: hint) }
    try check(version: version, of: name)
  }

  /// - Throws: `.unsupported` for a later format.
  static func check(version: Int, of name: String) throws(RetakeError) {
    guard version == BundleDescription.formatVersion else {
      throw RetakeError(
        .unsupported,
        "\(name) was written by a later version of Retake: it has format \(version), but this version, "
          + "\(RetakeVersion.current), reads format \(BundleDescription.formatVersion).",
        hint: "use a version of Retake at least as new as the one that made it")
    }
  }

  /// Runs code that reads a bundle's parts. Errors then name the bundle, not files in `folder`.
  static func naming<Result>(
    _ name: String, folder: String? = nil, _ body: () throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(RetakeError) { return try body() } catch {
      let message = folder.map { error.message.replacing($0 + "/", with: "") } ?? error.message
      let told = message.hasPrefix(name) ? message : "\(name): \(message)"
      switch error.code {
      case .corrupt: throw RetakeError(.corrupt, told, hint: hint)
      case .notFound, .unsupported, .childProcess: throw RetakeError(error.code, told, hint: error.hint)
      default: throw error
      }
    }
  }

  /// Names the bundle that is being made, where an error names what lies in its work folder.
  static func hidingWork(_ error: RetakeError, of path: String) -> RetakeError {
    var error = error
    while let found = error.message.firstRange(of: path + workSuffix) {
      let end = error.message[found.upperBound...].firstIndex { " :;,'".contains($0) } ?? error.message.endIndex
      error.message.replaceSubrange(found.lowerBound..<end, with: path)
    }
    return error
  }

  static let hint = "ask the sender to send it again"
}
