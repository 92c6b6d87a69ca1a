import CKernels

/// How well a matte's edge matches the picture's edges: Σ|∇α·∇I| / Σ|∇α|·|∇I|, from 0 to 1.
package enum EdgeAlignment {
  /// Gradients are central differences; pixels outside the picture equal the edge pixel. |∇α|·|∇I| is taken in single
  /// precision and rounded to a whole number, so that the sum is the same on every machine.
  /// - Parameter picture: in grey.
  /// - Returns: nil where the matte is flat, or the picture at the matte's edge.
  package static func ratio(_ matte: MatteFeatures, _ picture: BytePlane) -> Double? {
    precondition(matte.plane.isSameSize(as: picture))
    var aligned: Int64 = 0
    var all: Int64 = 0
    rtk_alignment(
      matte.processor, matte.plane.samples, picture.samples, matte.alignmentQuads.words, Int32(matte.width),
      Int32(matte.height), &aligned, &all)
    return all == 0 ? nil : Double(aligned) / Double(all)
  }
}
