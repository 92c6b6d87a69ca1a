import FrameModel
import Kernels
import Support

/// The pictures behind the person: one for all frames, or a moving one.
package protocol BackgroundSource: AnyObject {
  /// Size of its pictures, before they are fitted to the video.
  var size: (width: Int, height: Int) { get }

  /// - Parameter moment: time since the recording began; going back may be slow.
  /// - Returns: nil while there is no picture.
  func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture?
}

package struct BackgroundPicture {
  /// Packed RGB, valid until the source is asked again.
  package let plane: PixelPlane<UInt8>
  /// Differs for each picture, so that none is fitted twice.
  package let number: Int

  package init(plane: PixelPlane<UInt8>, number: Int) {
    self.plane = plane
    self.number = number
  }
}

package final class StillBackground: BackgroundSource {
  private let plane: PixelPlane<UInt8>

  package init(_ image: RGBImage) { plane = PixelPlane(image) }

  package var size: (width: Int, height: Int) { (plane.width, plane.height) }

  package func picture(at moment: PresentationTime) -> BackgroundPicture? { BackgroundPicture(plane: plane, number: 0) }
}

extension PixelPlane<UInt8> {
  package convenience init(_ image: RGBImage) {
    self.init(width: image.width, height: image.height, channels: 3)
    samples.update(from: image.pixels, count: image.pixels.count)
  }
}
