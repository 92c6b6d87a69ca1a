import FrameModel
import Kernels
import Support

package enum SegmentationAnswer: String, Hashable, Sendable {
  /// Up to 256 class labels.
  case labels
  /// The share of the person, 0 to 255.
  case matte
}

/// A network that separates people from their surroundings, or its stored results.
package protocol PersonSegmenter: AnyObject {
  /// Size of its masks, which are stretched over the video.
  var maskSize: (width: Int, height: Int) { get }
  var answer: SegmentationAnswer { get }

  /// Writes a label, or 0 to 255, for each pixel of the mask.
  /// - Parameters:
  ///   - frame: as recorded; its number is the key of stored results.
  ///   - picture: the same frame as RGB.
  /// - Returns: false if there is no result; the frame then has no mask.
  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
}

extension PersonSegmenter {
  package var answer: SegmentationAnswer { .matte }
}
