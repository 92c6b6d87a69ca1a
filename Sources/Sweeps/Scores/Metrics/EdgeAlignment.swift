import CKernels

/// Whether a matte's edge lies on the picture's: Σ|∇α·∇I| / Σ|∇α|·|∇I|, from 0 to 1.
package enum EdgeAlignment {
  /// Gradients are differences of the neighbours on both sides; what lies outside is as the pixel at the edge. Sums are taken
  /// in the order of the rows, for every fourth column by itself: the same bits everywhere.
  /// - Parameter picture: in grey.
  /// - Returns: nil where the matte or the picture below its edge is flat.
  package static func ratio(_ matte: MatteFeatures, _ picture: BytePlane) -> Double? {
    precondition(matte.plane.isSameSize(as: picture))
    var aligned: Int64 = 0
    var all = 0.0
    rtk_alignment(
      matte.processor, matte.plane.samples, picture.samples, matte.alignmentQuads.words, Int32(matte.width),
      Int32(matte.height), &aligned, &all)
    return all == 0 ? nil : Double(aligned) / all
  }
}
