import CKernels

/// Pixels of a true matte that cannot be judged. Scores that need the truth leave them out:
///
/// - the matte and its truth both count as background there;
/// - means are over the other pixels;
/// - contours exclude pixels whose membership depends on a left-out pixel.
// Unchecked: everything is written by the initializer only.
final class LeftOutPixels: @unchecked Sendable {
  /// 255 for pixels that are judged.
  let judged: ByteMask
  let judgedCount: Int
  /// Pixels whose membership in a contour depends on a left-out pixel.
  let contourPlaces: BitPlane

  /// - Parameter judged: 0 for each pixel to leave out, otherwise 255; copied.
  init(_ judged: BytePlane, _ processor: RTKProcessor) {
    let (width, height) = (Int32(judged.width), Int32(judged.height))
    self.judged = ByteMask(count: judged.count)
    self.judged.samples.update(from: judged.samples, count: judged.count)
    contourPlaces = BitPlane(width: judged.width, height: judged.height)
    rtk_left_out_places(processor, judged.samples, contourPlaces.words, width, height)
    judgedCount = self.judged.count(width: judged.width, height: judged.height, processor)
  }
}
