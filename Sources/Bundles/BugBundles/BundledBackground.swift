import FrameModel
import Glibc
import Media
import Support

/// The background as it goes into a bundle.
///
/// Redaction searches backgrounds neither for faces nor for serial numbers, so with it recordings and videos are refused. A
/// picture is accepted, as its content is known, but stored as pixels only: a camera's file also
/// holds place, time, serial number and a thumbnail.
struct BundledBackground {
  /// As in the parameters; empty without a background.
  let path: String
  let kind: BundleDescription.Background
  private let isRedrawn: Bool

  /// - Parameter isRedacted: whether anything is removed from the recording.
  /// - Throws: `.unsupported` for a recording or video in that case; file system errors.
  init(path: String, isRedacted: Bool) throws(RetakeError) {
    self.path = path
    isRedrawn = isRedacted
    guard !path.isEmpty else {
      kind = .none
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    kind = status.st_mode & S_IFMT == S_IFDIR ? .recording : .file
    guard isRedacted else { return }
    guard kind == .file, try Self.isPicture(path) else {
      throw RetakeError(
        .unsupported,
        "The background \(path) is a \(kind == .recording ? "recording" : "video"), and would be stored in the bundle as it is, with "
          + "the people that it shows and what it says of cameras.",
        hint: "use a picture as background, or none")
    }
  }

  /// - Throws: file system errors; `.corrupt` for a picture that must be decoded and cannot be.
  func file() throws(RetakeError) -> [UInt8] {
    guard isRedrawn else { return try FileBytes.read(path, limit: BundlePart.largestByteCount) }
    // Digests are of the pixels, which re-encoding does not change.
    let picture = try PictureFile.readColor(path: path)
    return try picture.pixels.withRawBytes { pixels throws(RetakeError) in
      try PNGEncoder.encode(pixels, width: picture.width, height: picture.height, as: .rgb8)
    }
  }

  private static func isPicture(_ path: String) throws(RetakeError) -> Bool {
    try FileBytes.read(path, limit: BundlePart.largestByteCount).withRawBytes { PictureFile.isPicture($0) }
  }
}
