import FrameModel
import Kernels
import MattePipeline
import Media
import Support

/// A video as the background. It starts with the recording and repeats endlessly. The picture
/// depends only on the time: the last one due at the video's frame rate. One picture is held.
package final class VideoBackground: BackgroundSource {
  private let path: String
  private let facts: VideoFacts
  private let plane: PixelPlane<UInt8>
  private var decoder: VideoDecoder
  private var readCount = 0
  /// Pictures in a pass; known after the first.
  private var length: Int?
  private var passes = 0

  /// - Throws: `.unsupported` for a file that is not a video, `.corrupt` for one without a picture.
  package init(path: String) throws(RetakeError) {
    self.path = path
    facts = try VideoFacts(path: path)
    try WorkLimit.picture.check(width: facts.width, height: facts.height, path)
    plane = PixelPlane(width: facts.width, height: facts.height, channels: 3)
    decoder = try VideoDecoder(path, facts)
    // Fails now rather than during the replay if the video has no picture.
    guard try readNext() else {
      throw RetakeError(
        .corrupt, "\(path) has no picture that can be decoded.", hint: "check whether ffplay can play it")
    }
  }

  package var size: (width: Int, height: Int) { (facts.width, facts.height) }

  package func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
    let wanted = facts.rate.periods(in: moment.nanoseconds)
    if wanted < position {
      // Going back requires decoding from the start.
      passes = length.map { wanted / $0 } ?? 0
      if wanted < position { try restart() }
    }
    while position < wanted {
      if let length, readCount == length {
        passes = wanted / length
        try restart()
      } else if !(try readNext()) {
        // Skips whole passes that would not be shown.
        length = readCount
        passes = wanted / readCount
        try restart()
      }
    }
    return BackgroundPicture(plane: plane, number: position)
  }

  /// Number of the picture in `plane`, counted over all passes.
  private var position: Int { passes * (length ?? 0) + readCount - 1 }

  private func restart() throws(RetakeError) {
    decoder = try VideoDecoder(path, facts)
    readCount = 0
    guard try readNext() else { throw RetakeError(.corrupt, "\(path) can no longer be decoded.") }
  }

  private func readNext() throws(RetakeError) -> Bool {
    let bytes = UnsafeMutableRawBufferPointer(start: plane.samples, count: plane.count)
    guard try decoder.read(into: bytes) else { return false }
    readCount += 1
    return true
  }
}
