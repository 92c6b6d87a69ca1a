import CKernels

/// How much a matte changes from frame to frame beside what moves: mean |α − α before, moved| near the person's edge.
///
/// An empty matte is perfectly stable: read it beside coverage and lag.
package struct Flicker: Hashable, Sendable {
  /// Σ|α − α before|, in steps of 1/255.
  package let steps: Int
  /// Pixels within 6 of the edge, in this frame or the one before.
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

  /// 0 to 1; nil where there is no edge.
  package var mean: Double? { bandCount == 0 ? nil : Double(steps) / (255 * Double(bandCount)) }
}
