import FrameModel
import Kernels
import Media
import Support

/// True mattes as PNG files, named by the number of their video frame: `000000.png`, as `replay
/// --output png:FOLDER --tap matte` writes them.
///
/// Only grey of at most 8 bits is accepted. For a frame without a matte, a replay writes the video
/// picture; read as truth, that would silently falsify every score.
package struct TruthFolder: Sendable {
  package let path: String
  package let width: Int
  package let height: Int
  /// XXH3-128 of the decoded mattes of all frames in play order, as 32 hexadecimal digits.
  /// Independent of how the PNG files are compressed.
  package let digest: String

  /// Far above the file size of any valid matte.
  private static let fileLimit = FrameLayout.largestByteCount

  /// Reads and checks every matte, so that errors show before a sweep and not during it.
  /// - Parameters:
  ///   - frames: the frame numbers in play order; repeated numbers are read again.
  ///   - width, height: the video's, pixels.
  /// - Throws: `.notFound` for the first missing matte; `.unsupported` for the first of another
  ///   size or kind; `.corrupt` for the first unreadable one.
  package init(path: String, frames: [Int], width: Int, height: Int) throws(RetakeError) {
    (self.path, self.width, self.height) = (path, width, height)
    let names = Set(try Self.names(in: path))
    // Checks the names first, which is cheap and reports a missing file at once.
    for number in frames where !names.contains(Self.name(number)) { throw Self.missing(number, path, names.count) }
    let checksum = RunningChecksum()
    for number in frames {
      let matte = try Self.matte(number, path: path, width: width, height: height)
      matte.withUnsafeBytes { checksum.add($0) }
    }
    digest = checksum.hex
  }

  /// - Returns: `width` · `height` bytes, 255 for the person.
  /// - Throws: the errors of `init`.
  package func matte(_ number: Int) throws(RetakeError) -> [UInt8] {
    try Self.matte(number, path: path, width: width, height: height)
  }

  private static func name(_ number: Int) -> String { "\(number.zeroPadded(6)).png" }

  private static func names(in path: String) throws(RetakeError) -> [String] {
    let names = try Folder.names(in: path).filter { $0.hasSuffix(".png") }
    guard !names.isEmpty else {
      throw RetakeError(
        .notFound, "There are no mattes in \(path).", hint: "give a folder of 8-bit grey PNGs, \(name(0)) and so on")
    }
    return names
  }

  private static func missing(_ number: Int, _ path: String, _ count: Int) -> RetakeError {
    RetakeError(
      .notFound, "There is no \(name(number)) in \(path): the truth of frame \(number) is missing.",
      hint: "the folder has \(count) PNG\(count == 1 ? "" : "s"); each played frame needs its own, "
        + "named by its number with six digits")
  }

  private static func matte(_ number: Int, path: String, width: Int, height: Int) throws(RetakeError) -> [UInt8] {
    let path = "\(path)/\(name(number))"
    let file = try FileBytes.read(path, limit: fileLimit)
    return try file.withRawBytes { bytes throws(RetakeError) in
      guard PNGDecoder.isPNG(bytes) else {
        throw RetakeError(
          .corrupt, "\(path) is not a PNG.", hint: "write the true mattes as 8-bit grey PNGs of \(width)x\(height)")
      }
      // Checks the header before allocating memory for the picture.
      let png = try PNGDecoder(bytes, name: path)
      guard png.width == width, png.height == height else {
        throw RetakeError(
          .unsupported, "\(path) is \(png.width)x\(png.height), but the video is \(width)x\(height).",
          hint: "give the truth at the video's size, not scaled")
      }
      guard png.samples == .grey8 else {
        throw RetakeError(
          .unsupported,
          "\(path) is a \(png.samples == .rgb8 ? "colour" : "16-bit grey") picture, not an 8-bit grey matte.",
          hint: "write true mattes as 8-bit grey; a replay with --tap matte writes the video where it had no matte")
      }
      return try png.grey8()
    }
  }
}
