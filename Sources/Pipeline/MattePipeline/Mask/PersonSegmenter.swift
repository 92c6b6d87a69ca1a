import FrameModel
import Kernels
import Support

/// What a segmenter says of each pixel.
package enum SegmentationAnswer: String, Hashable, Sendable {
  /// Which of up to 256 things it is.
  case labels
  /// How much of it is the person, 0 to 255.
  case matte
}

/// A network that tells people from what is around them, or what it said when it was asked before.
package protocol PersonSegmenter: AnyObject {
  /// Width and height of its masks, which are stretched over the video.
  var maskSize: (width: Int, height: Int) { get }
  var answer: SegmentationAnswer { get }

  /// Writes a label, or 0 to 255, for each pixel of the mask.
  /// - Parameters:
  ///   - frame: the colour frame as it was recorded: its number is the key of what was kept.
  ///   - picture: the same as RGB.
  /// - Returns: false where it had no answer; the frame then has no mask.
  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
}

extension PersonSegmenter {
  package var answer: SegmentationAnswer { .matte }
}
