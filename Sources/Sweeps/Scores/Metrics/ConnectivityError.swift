import CKernels

/// How much of a matte hangs together otherwise than the truth (Rhemann et al. 2009): at ten thresholds of opacity, what is
/// connected to the largest piece that both have.
package enum ConnectivityError {
  /// Σ|φ − φ*|. φ is 1 − d where d, a pixel's α less the last threshold at which it hangs on the common piece, is 0.15 or
  /// more, and 1 otherwise. Of equally large pieces it is the first, row by row.
  /// - Parameter memory: of the mattes' size.
  package static func sum(_ matte: MatteFeatures, _ truth: TruthFeatures, _ memory: ScoreMemory) -> Double {
    precondition(matte.isSameSize(as: truth.matte) && memory.fits(matte))
    var error: Int64 = 0
    rtk_connectivity(
      matte.processor, matte.plane.samples, truth.plane.samples, Int32(matte.width), Int32(matte.height), &error,
      memory.connectivity.start)
    return Double(error) / 2550
  }
}
