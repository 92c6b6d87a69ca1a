import CKernels

package struct AlphaError: Hashable, Sendable {
  /// Σ|α − α*|, in steps of 1/255.
  package let absoluteSteps: Int
  /// Σ(α − α*)², in squared steps.
  package let squaredSteps: Int
  /// Judged pixels.
  package let count: Int

  /// - Parameter matte: as judged by this truth.
  package init(_ matte: MatteFeatures, _ truth: TruthFeatures) {
    precondition(matte.isSameSize(as: truth.matte))
    var absolute: Int64 = 0
    var squared: Int64 = 0
    var (own, other) = (matte.found, truth.matte.found)
    rtk_differences(matte.processor, &own, &other, Int32(matte.width), Int32(matte.height), &absolute, &squared)
    (absoluteSteps, squaredSteps, count) = (Int(absolute), Int(squared), truth.judgedCount)
  }

  /// Sum of absolute differences, α from 0 to 1.
  package var sumOfAbsoluteDifferences: Double { Double(absoluteSteps) / 255 }
  /// Mean squared error, α from 0 to 1; 0 for no pixels.
  package var meanSquaredError: Double { count == 0 ? 0 : Double(squaredSteps) / (65_025 * Double(count)) }
}
