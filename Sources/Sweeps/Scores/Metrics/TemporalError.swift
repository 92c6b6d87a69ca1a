import CKernels

/// dtSSD (Erofeev et al. 2015): the difference between a matte's change and the truth's change from
/// one frame to the next. A constant error does not count.
package struct TemporalError: Hashable, Sendable {
  /// Σ(Δα − Δα*)², in squared steps of 1/255.
  package let squaredSteps: Int
  package let count: Int

  package init(
    _ matte: BytePlane, after matteBefore: BytePlane, truth: BytePlane, after truthBefore: BytePlane,
    _ processor: RTKProcessor = rtk_processor()
  ) {
    precondition(
      matte.isSameSize(as: matteBefore) && matte.isSameSize(as: truth) && matte.isSameSize(as: truthBefore))
    var squared: Int64 = 0
    rtk_change_differences(
      processor, matte.samples, matteBefore.samples, truth.samples, truthBefore.samples, matte.count, &squared)
    squaredSteps = Int(squared)
    count = matte.count
  }

  private init(squaredSteps: Int, count: Int) { (self.squaredSteps, self.count) = (squaredSteps, count) }

  /// Over pixels that are judged in both frames.
  package init(
    _ matte: MatteFeatures, after matteBefore: MatteFeatures, truth: TruthFeatures, after truthBefore: TruthFeatures
  ) {
    guard let any = truth.leftOut ?? truthBefore.leftOut else {
      self.init(
        matte.plane, after: matteBefore.plane, truth: truth.plane, after: truthBefore.plane, matte.processor)
      return
    }
    precondition(matte.isSameSize(as: matteBefore) && matte.isSameSize(as: truth.matte))
    var squared: Int64 = 0
    var found: Int64 = 0
    rtk_change_differences_within(
      matte.processor, matte.plane.samples, matteBefore.plane.samples, truth.plane.samples, truthBefore.plane.samples,
      (truth.leftOut ?? any).judged.samples, (truthBefore.leftOut ?? any).judged.samples, matte.plane.count, &squared,
      &found)
    self.init(squaredSteps: Int(squared), count: Int(found))
  }

  /// √mean (Δα − Δα*)², α from 0 to 1; 0 for no pixels.
  package var rootMeanSquare: Double { count == 0 ? 0 : (Double(squaredSteps) / (65_025 * Double(count))).squareRoot() }
}
