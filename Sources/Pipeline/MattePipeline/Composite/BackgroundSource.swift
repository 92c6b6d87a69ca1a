import FrameModel
import Kernels
import Support

/// Pictures that are put behind the person: one for all frames, or a moving one.
package protocol BackgroundSource: AnyObject {
  /// Width and height of its pictures, before they are fitted to the video.
  var size: (width: Int, height: Int) { get }

  /// The picture for a moment of the replay.
  /// - Parameter moment: since the recording began; going back may take long.
  /// - Returns: nil while there is none.
  func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture?
}

/// What a background source shows at a moment.
package struct BackgroundPicture {
  /// Packed RGB that holds until the source is asked again.
  package let plane: PixelPlane<UInt8>
  /// Another one for each picture of the source: it need not be fitted twice.
  package let number: Int

  package init(plane: PixelPlane<UInt8>, number: Int) {
    self.plane = plane
    self.number = number
  }
}

/// One picture for all frames.
package final class StillBackground: BackgroundSource {
  private let plane: PixelPlane<UInt8>

  package init(_ image: RGBImage) { plane = PixelPlane(image) }

  package var size: (width: Int, height: Int) { (plane.width, plane.height) }

  package func picture(at moment: PresentationTime) -> BackgroundPicture? { BackgroundPicture(plane: plane, number: 0) }
}

extension PixelPlane<UInt8> {
  /// A picture as a plane of three channels.
  package convenience init(_ image: RGBImage) {
    self.init(width: image.width, height: image.height, channels: 3)
    samples.update(from: image.pixels, count: image.pixels.count)
  }
}
