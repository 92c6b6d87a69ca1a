import CKernels

/// The connectivity error of a matte (Rhemann et al. 2009): at ten opacity thresholds, compares
/// what is connected to the largest region that matte and truth share.
package enum ConnectivityError {
  /// Σ|φ − φ*|. Let d be a pixel's α minus the last threshold at which it is connected to the
  /// shared region. φ is 1 − d if d ≥ 0.15, and 1 otherwise. Among equally large regions the first
  /// by rows counts.
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
