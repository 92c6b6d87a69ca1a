import CKernels

package struct AlphaError: Hashable, Sendable {
  /// Σ|α − α*|, in steps of 1/255.
  package let absoluteSteps: Int
  /// Σ(α − α*)², in squared steps.
  package let squaredSteps: Int
  /// Judged pixels.
  package let count: Int

  package init(_ matte: BytePlane, _ truth: BytePlane, _ processor: RTKProcessor = rtk_processor()) {
    precondition(matte.isSameSize(as: truth))
    var absolute: Int64 = 0
    var squared: Int64 = 0
    rtk_differences(processor, matte.samples, truth.samples, matte.count, &absolute, &squared)
    absoluteSteps = Int(absolute)
    squaredSteps = Int(squared)
    count = matte.count
  }

  /// - Parameter matte: as judged by this truth.
  package init(_ matte: MatteFeatures, _ truth: TruthFeatures) {
    let all = AlphaError(matte.plane, truth.plane, matte.processor)
    (absoluteSteps, squaredSteps, count) = (all.absoluteSteps, all.squaredSteps, truth.judgedCount)
  }

  /// Sum of absolute differences, α from 0 to 1.
  package var sumOfAbsoluteDifferences: Double { Double(absoluteSteps) / 255 }
  /// Mean squared error, α from 0 to 1; 0 for no pixels.
  package var meanSquaredError: Double { count == 0 ? 0 : Double(squaredSteps) / (65_025 * Double(count)) }
}
