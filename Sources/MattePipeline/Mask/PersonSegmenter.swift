import FrameModel
import Kernels

/// A network that tells people from what is around them, or what it said when it was asked before.
package protocol PersonSegmenter: AnyObject {
  /// Width and height of its masks, which are stretched over the video.
  var maskSize: (width: Int, height: Int) { get }

  /// Writes 0 to 255 for each pixel of the mask.
  /// - Parameters:
  ///   - frame: the colour frame as it was recorded: its number is the key of what was kept.
  ///   - picture: the same as RGB.
  /// - Returns: false where it had no answer; the frame then has no mask.
  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
}
