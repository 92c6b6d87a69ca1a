import FrameModel
import Kernels

/// Pictures that are put behind the person: one for all frames, or a moving one.
package protocol BackgroundSource: AnyObject {
  /// Width and height of its pictures, before they are fitted to the video.
  var size: (width: Int, height: Int) { get }

  /// The picture for a moment of the replay.
  /// - Parameter moment: since the recording began; never goes back.
  /// - Returns: packed RGB that holds until the next call; nil where the one given last holds.
  func picture(at moment: PresentationTime) throws(RetakeError) -> PixelPlane<UInt8>?
}

/// One picture for all frames.
package final class StillBackground: BackgroundSource {
  private let plane: PixelPlane<UInt8>
  private var wasGiven = false

  package init(_ image: RGBImage) { plane = PixelPlane(image) }

  package var size: (width: Int, height: Int) { (plane.width, plane.height) }

  package func picture(at moment: PresentationTime) -> PixelPlane<UInt8>? {
    defer { wasGiven = true }
    return wasGiven ? nil : plane
  }
}

extension PixelPlane<UInt8> {
  /// A picture as a plane of three channels.
  package convenience init(_ image: RGBImage) {
    self.init(width: image.width, height: image.height, channels: 3)
    samples.update(from: image.pixels, count: image.pixels.count)
  }
}
