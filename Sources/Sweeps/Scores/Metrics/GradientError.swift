import CKernels

/// The gradient error of a matte (Rhemann et al. 2009).
package enum GradientError {
  /// Σ(‖∇α‖ − ‖∇α*‖)², with gradients by Gaussian derivatives of σ 1.4.
  /// - Parameter memory: of the mattes' size.
  package static func sum(_ matte: MatteFeatures, _ truth: TruthFeatures, _ memory: ScoreMemory) -> Double {
    precondition(matte.isSameSize(as: truth.matte) && memory.fits(matte))
    var error = 0.0
    guard let slopes = truth.slopes else { preconditionFailure("the truth has no slopes") }
    slopes.lengths.withUnsafeBufferPointer { lengths in
      // An empty array has no base address; any pointer will do, since nothing is read.
      let start = lengths.baseAddress ?? UnsafePointer(memory.slopes.start.assumingMemoryBound(to: Float.self))
      withUnsafePointer(to: SlopeMap.kernel) {
        rtk_slope_error(
          matte.processor, $0, matte.plane.samples, matte.slopeQuads.words, start, slopes.quads.words,
          Int32(matte.width), Int32(matte.height), &error, memory.slopes.start)
      }
    }
    return error * SlopeMap.unit * SlopeMap.unit
  }
}
