/// dtSSD (Erofeev et al. 2015): how far a matte's change from one frame to the next is from the truth's change. An error that
/// stays is none here; one that comes and goes is.
package struct TemporalError: Hashable, Sendable {
  /// Σ(Δα − Δα*)², in squared steps of 1/255.
  package let squaredSteps: Int
  package let count: Int

  /// - Parameters: the frame, and the one before it.
  package init(_ matte: BytePlane, after matteBefore: BytePlane, truth: BytePlane, after truthBefore: BytePlane) {
    precondition(
      matte.isSameSize(as: matteBefore) && matte.isSameSize(as: truth) && matte.isSameSize(as: truthBefore))
    var sum = 0
    for i in 0..<matte.count {
      let change = Int(matte.samples[i]) - Int(matteBefore.samples[i])
      let trueChange = Int(truth.samples[i]) - Int(truthBefore.samples[i])
      sum += (change - trueChange) * (change - trueChange)
    }
    squaredSteps = sum
    count = matte.count
  }

  /// √mean (Δα − Δα*)², α from 0 to 1; 0 for no pixels.
  package var rootMeanSquare: Double { count == 0 ? 0 : (Double(squaredSteps) / (65_025 * Double(count))).squareRoot() }
}
