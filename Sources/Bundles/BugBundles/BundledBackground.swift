import FrameModel
import Glibc
import Media
import Support

/// What lies behind the person, as it goes into a bundle.
///
/// Where people are made unrecognisable in the recording, nobody has looked for them in the background: a recording or a video
/// is refused then, and a picture, of which whoever gives it knows what it shows, goes in as its pixels alone, without the
/// place, the time and the small copy of itself that cameras write into their files.
struct BundledBackground {
  /// As the parameters name it; empty without one.
  let path: String
  let kind: BundleDescription.Background
  private let isRedrawn: Bool

  /// - Parameter changesPixels: whether pictures of the recording are changed so that people are not recognised.
  /// - Throws: `.unsupported` for a recording or a video then; what the disk refuses.
  init(path: String, changesPixels: Bool) throws(RetakeError) {
    self.path = path
    isRedrawn = changesPixels
    guard !path.isEmpty else {
      kind = .none
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    kind = status.st_mode & S_IFMT == S_IFDIR ? .recording : .file
    guard changesPixels else { return }
    guard kind == .file, try Self.isPicture(path) else {
      throw RetakeError(
        .unsupported,
        "The background \(path) is a \(kind == .recording ? "recording" : "video"), and people in it would go into the bundle "
          + "as they are.",
        hint: "give a picture as background, or none")
    }
  }

  /// The bytes of a picture or a video.
  /// - Throws: what the disk refuses, and `.corrupt` for a picture that cannot be read and has to be.
  func file() throws(RetakeError) -> [UInt8] {
    guard isRedrawn else { return try FileBytes.read(path, limit: BundlePart.largestByteCount) }
    // Digests are of the pixels, which stay the same.
    let picture = try PictureFile.readColor(path: path)
    return try picture.pixels.withRawBytes { pixels throws(RetakeError) in
      try PNGEncoder.encode(pixels, width: picture.width, height: picture.height, as: .rgb8)
    }
  }

  private static func isPicture(_ path: String) throws(RetakeError) -> Bool {
    try FileBytes.read(path, limit: BundlePart.largestByteCount).withRawBytes { PictureFile.isPicture($0) }
  }
}
