import CKernels

/// dtSSD (Erofeev et al. 2015): the difference between a matte's change and the truth's change from
/// one frame to the next. A constant error does not count.
package struct TemporalError: Hashable, Sendable {
  /// Σ(Δα − Δα*)², in squared steps of 1/255.
  package let squaredSteps: Int
  package let count: Int

  package init(_ matte: MatteFeatures, after before: PackedMatte, _ truth: TruthChange) {
    precondition(before.isSameSize(as: matte) && matte.isSameSize(as: truth.now.matte))
    var squared: Int64 = 0
    var (found, now, then) = (matte.found, truth.now.matte.found, truth.before.matte.found)
    before.withPacked {
      rtk_change_differences(
        matte.processor, &found, $0, &now, &then, truth.judged?.samples, Int32(matte.width), Int32(matte.height),
        &squared)
    }
    (squaredSteps, count) = (Int(squared), truth.judgedCount)
  }

  /// √mean (Δα − Δα*)², α from 0 to 1; 0 for no pixels.
  package var rootMeanSquare: Double { count == 0 ? 0 : (Double(squaredSteps) / (65_025 * Double(count))).squareRoot() }
}
