import Kernels
import MatteMetrics

/// What scores need of one frame's picture and truth, whichever frame came before it.
final class ScenePicture: Sendable {
  let number: Int
  /// Nil where no wanted score looks at the video.
  let grey: PixelPlane<UInt8>?
  /// Nil where there is no truth, or no wanted score compares with it.
  let truth: PixelPlane<UInt8>?
  let truthEdge: BoundaryMatch.Edge?
  let truthSlopes: GradientMap?

  /// - Parameters:
  ///   - picture: packed RGB.
  ///   - truth: as large as the picture; copied.
  init(number: Int, _ wanted: WantedScores, _ picture: PixelPlane<UInt8>, truth: UnsafePointer<UInt8>?) {
    self.number = number
    grey = wanted.grey ? GreyPicture.plane(picture) : nil
    guard let truth, wanted.truth else {
      (self.truth, truthEdge, truthSlopes) = (nil, nil, nil)
      return
    }
    let plane = PixelPlane<UInt8>(width: picture.width, height: picture.height)
    plane.samples.update(from: truth, count: plane.count)
    self.truth = plane
    truthEdge = wanted.boundaryF ? BoundaryMatch.Edge(plane.view) : nil
    truthSlopes = wanted.gradient ? GradientMap(plane.view) : nil
  }
}

extension PixelPlane<UInt8> {
  /// Borrowed: holds as long as the plane.
  var view: BytePlane { BytePlane(samples, width: width, height: height) }
}
