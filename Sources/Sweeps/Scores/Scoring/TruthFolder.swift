import FrameModel
import Kernels
import Media
import Support

/// True mattes as PNG files, named by the number of the video frame they belong to: `000000.png`, as
/// `replay --output png:FOLDER --tap matte` writes them.
///
/// Grey only, of at most 8 bits: a replay writes the video where it had no matte, and a colour picture that was taken for a
/// matte would make every score wrong without a word.
package struct TruthFolder: Sendable {
  package let path: String
  /// Pixels.
  package let width: Int
  package let height: Int
  /// XXH3-128 of the mattes of all frames, in the order in which they are played: 32 hexadecimal digits. Of what the files
  /// hold and not of the files, so that packing them otherwise makes no other truth.
  package let digest: String

  /// A matte of the largest picture that is accepted is far below this, however badly packed.
  private static let fileLimit = FrameLayout.largestByteCount

  /// Reads every matte once: what is off is better known before a sweep than in its last hour.
  /// - Parameters:
  ///   - frames: the numbers that will be played; those that come twice are read once for each.
  ///   - width, height: the video's, pixels.
  /// - Throws: `.notFound` for the first one that is missing; `.unsupported` for the first of another size or kind;
  ///   `.corrupt` for the first that cannot be read.
  package init(path: String, frames: [Int], width: Int, height: Int) throws(RetakeError) {
    (self.path, self.width, self.height) = (path, width, height)
    let names = Set(try Self.names(in: path))
    // Looked for first: it costs nothing, and says at once that a folder ends too early.
    for number in frames where !names.contains(Self.name(number)) { throw Self.missing(number, path, names.count) }
    let checksum = RunningChecksum()
    for number in frames {
      let matte = try Self.matte(number, path: path, width: width, height: height)
      matte.withUnsafeBytes { checksum.add($0) }
    }
    digest = checksum.hex
  }

  /// - Parameter number: of a video frame.
  /// - Returns: `width` · `height` bytes, 255 for the person.
  /// - Throws: as `init`.
  package func matte(_ number: Int) throws(RetakeError) -> [UInt8] {
    try Self.matte(number, path: path, width: width, height: height)
  }

  private static func name(_ number: Int) -> String { "\(number.zeroPadded(6)).png" }

  /// Those of the files in a folder that look like mattes.
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
      guard PNGPicture.isPNG(bytes) else {
        throw RetakeError(
          .corrupt, "\(path) is not a PNG.", hint: "write the true mattes as 8-bit grey PNGs of \(width)x\(height)")
      }
      // The header decides, before anything of its size is allocated.
      let shape = try PNGPicture.shape(bytes, name: path)
      guard shape.width == width, shape.height == height else {
        throw RetakeError(
          .unsupported, "\(path) is \(shape.width)x\(shape.height), but the video is \(width)x\(height).",
          hint: "give the truth at the video's size, not scaled")
      }
      guard shape.samples == .grey8 else {
        throw RetakeError(
          .unsupported,
          "\(path) is a \(shape.samples == .color ? "colour" : "16-bit grey") picture, not an 8-bit grey matte.",
          hint: "write true mattes as 8-bit grey; a replay with --tap matte writes the video where it had no matte")
      }
      return try PNGPicture.grey8(bytes, name: path)
    }
  }
}
