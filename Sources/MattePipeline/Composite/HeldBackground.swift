import FrameModel
import Kernels

/// A background source that gives its last picture once more when a pipeline begins anew, which never saw it.
final class HeldBackground: BackgroundSource {
  private let source: any BackgroundSource
  private var last: PixelPlane<UInt8>?
  private var isForgotten = false

  init(_ source: any BackgroundSource) { self.source = source }

  var size: (width: Int, height: Int) { source.size }

  /// The next time a picture is given, even if it is the last one.
  func giveAgain() { isForgotten = true }

  func picture(at moment: PresentationTime) throws(RetakeError) -> PixelPlane<UInt8>? {
    if let picture = try source.picture(at: moment) {
      (last, isForgotten) = (picture, false)
      return picture
    }
    guard isForgotten else { return nil }
    isForgotten = false
    return last
  }
}
