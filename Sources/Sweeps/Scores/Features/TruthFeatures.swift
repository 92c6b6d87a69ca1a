import CKernels

/// Features of a true matte, computed once per frame and shared by all settings.
// Unchecked: everything is written by the initializer only.
package final class TruthFeatures: @unchecked Sendable {
  /// 0 where pixels are left out.
  let matte: MatteFeatures
  /// Nil unless asked for.
  let slopes: SlopeMap?
  /// Nil if every pixel is judged.
  let leftOut: LeftOutPixels?
  /// Pixels where the truth is 0, farther than the boundary tolerance from its contour; nil unless asked for.
  let outside: ByteMask?
  let outsideCount: Int

  /// - Parameters:
  ///   - truth: copied; at least one pixel.
  ///   - judged: 0 for each pixel to leave out, otherwise 255; nil for none.
  ///   - tolerance: of boundaries, pixels; nil for the default.
  ///   - slopes, outside: whether any wanted score uses them.
  ///   - memory: of the truth's size.
  package init(
    _ truth: BytePlane, judged: BytePlane? = nil, tolerance: Int? = nil, slopes: Bool = true, outside: Bool = true,
    _ memory: ScoreMemory
  ) {
    precondition(judged.map { $0.isSameSize(as: truth) } ?? true)
    matte = MatteFeatures(width: truth.width, height: truth.height, tolerance: tolerance, memory.processor)
    leftOut = judged.map { LeftOutPixels($0, memory.processor) }
    matte.take(truth, leavingOut: leftOut)
    // Computes the lazy features now: later, several threads read them.
    _ = matte.contour
    let near = matte.nearContour
    self.slopes = slopes ? SlopeMap(matte, memory) : nil
    guard outside else {
      (self.outside, outsideCount) = (nil, 0)
      return
    }
    let mask = ByteMask(count: truth.count)
    var count: Int64 = 0
    rtk_mask_of_clear(
      memory.processor, near.words, matte.plane.samples, leftOut?.judged.samples, Int32(truth.width),
      Int32(truth.height), mask.samples, &count)
    (self.outside, outsideCount) = (mask, Int(count))
  }

  package var width: Int { matte.width }
  package var height: Int { matte.height }
  /// Valid as long as this object.
  package var plane: BytePlane { matte.plane }
  package var judgedCount: Int { leftOut?.judgedCount ?? plane.count }
}
