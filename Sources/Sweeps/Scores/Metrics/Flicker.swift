import CKernels

/// Motion-compensated change of a matte: mean |α − α before, moved| near the person's edge.
///
/// An empty matte has no flicker, so read this score together with coverage and lag.
package struct Flicker: Hashable, Sendable {
  /// Σ|α − α before|, in steps of 1/255.
  package let steps: Int
  /// Pixels within 6 pixels of the edge, in this frame or the previous one.
  package let bandCount: Int

  static let bandRadius = 6

  package init(_ matte: MatteFeatures, after before: MatteFeatures, _ motion: BlockMotion) {
    precondition(matte.isSameSize(as: before) && motion.width == matte.width && motion.height == matte.height)
    var steps: Int64 = 0
    var count: Int64 = 0
    motion.motions.withUnsafeBufferPointer { motions in
      rtk_flicker(
        matte.processor, matte.plane.samples, before.plane.samples, matte.band.words, before.band.words,
        motions.baseAddress, Int32(matte.width), Int32(matte.height), &steps, &count)
    }
    self.steps = Int(steps)
    bandCount = Int(count)
  }

  /// 0 to 1; nil if there is no edge.
  package var mean: Double? { bandCount == 0 ? nil : Double(steps) / (255 * Double(bandCount)) }
}
