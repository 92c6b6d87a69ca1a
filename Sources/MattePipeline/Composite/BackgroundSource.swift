import FrameModel
import Kernels

/// Pictures that are put behind the person: one for all frames, or a moving one.
package protocol BackgroundSource: AnyObject {
  /// Width and height of its pictures, before they are fitted to the video.
  var size: (width: Int, height: Int) { get }

  /// The picture for a moment of the replay.
  /// - Parameter moment: since the recording began; never goes back.
  /// - Returns: nil where the one given last holds.
  func picture(at moment: PresentationTime) throws(RetakeError) -> RGBImage?
}

/// One picture for all frames.
package final class StillBackground: BackgroundSource {
  private let image: RGBImage
  private var wasGiven = false

  package init(_ image: RGBImage) { self.image = image }

  package var size: (width: Int, height: Int) { (image.width, image.height) }

  package func picture(at moment: PresentationTime) -> RGBImage? {
    defer { wasGiven = true }
    return wasGiven ? nil : image
  }
}
