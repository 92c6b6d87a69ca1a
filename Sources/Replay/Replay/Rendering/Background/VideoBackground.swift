import FrameModel
import Kernels
import MattePipeline
import Media
import Support

/// A video behind the person, from its start at the recording's, over and over.
///
/// Which of its pictures shows follows from the moment alone: the last one that is due by then at the video's rate. One
/// picture is held.
package final class VideoBackground: BackgroundSource {
  private let path: String
  private let facts: VideoFacts
  private let plane: PixelPlane<UInt8>
  private var decoder: VideoDecoder
  /// Of the pass that is being decoded: pictures that were read.
  private var readCount = 0
  /// Pictures of a pass, known at the end of the first.
  private var length: Int?
  private var passes = 0

  /// - Throws: `.unsupported` for a file that is no video, `.corrupt` for one without a picture.
  package init(path: String) throws(RetakeError) {
    self.path = path
    facts = try VideoFacts(path: path)
    try WorkLimit.picture.check(width: facts.width, height: facts.height, path)
    plane = PixelPlane(width: facts.width, height: facts.height, channels: 3)
    decoder = try VideoDecoder(path, facts)
    // That it shows something is known before the work.
    guard try readNext() else {
      throw RetakeError(.corrupt, "\(path) holds no picture that can be decoded.", hint: "play it with ffplay")
    }
  }

  package var size: (width: Int, height: Int) { (facts.width, facts.height) }

  package func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
    let wanted = facts.rate.periods(in: moment.nanoseconds)
    if wanted < position {
      // Only decoding from its start goes back in a video.
      passes = length.map { wanted / $0 } ?? 0
      if wanted < position { try restart() }
    }
    while position < wanted {
      if let length, readCount == length {
        passes = wanted / length
        try restart()
      } else if !(try readNext()) {
        // Whole passes that nobody sees are left out.
        length = readCount
        passes = wanted / readCount
        try restart()
      }
    }
    return BackgroundPicture(plane: plane, number: position)
  }

  /// Of the picture in the plane, over all passes.
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
