import CKernels

/// Opacity where the truth has no person: veils, halos and forgotten furniture.
package struct Haze: Hashable, Sendable {
  /// Σα over the outer pixels, in steps of 1/255.
  package let steps: Int
  /// Number of outer pixels: the truth is 0, and its contour is farther away than the boundary tolerance.
  package let outsideCount: Int

  package init(_ matte: MatteFeatures, _ truth: TruthFeatures) {
    precondition(matte.isSameSize(as: truth.matte))
    guard let outside = truth.outside else { preconditionFailure("the truth's outside is not known") }
    var steps: Int64 = 0
    var found = matte.found
    rtk_sum_within(matte.processor, &found, outside.samples, Int32(matte.width), Int32(matte.height), &steps)
    self.steps = Int(steps)
    outsideCount = truth.outsideCount
  }

  /// Mean opacity, in thousandths; nil if the truth leaves no such pixel.
  package var thousandths: Double? { outsideCount == 0 ? nil : 1000 * Double(steps) / (255 * Double(outsideCount)) }
}
