import CKernels

/// Change of a matte from one frame to the next where nothing moved: mean |α − α before| over the
/// still pixels.
///
/// An empty matte has no flicker, so read this score together with coverage and lag.
package struct Flicker: Hashable, Sendable {
  /// Σ|α − α before|, in steps of 1/255.
  package let steps: Int
  package let stillCount: Int
  private let pixelCount: Int

  package init(_ matte: MatteFeatures, after before: PackedMatte, _ still: StillPixels) {
    precondition(before.isSameSize(as: matte) && still.width == matte.width && still.height == matte.height)
    var steps: Int64 = 0
    var found = matte.found
    before.withPacked {
      rtk_differences_within(
        matte.processor, &found, $0, still.mask.samples, Int32(matte.width), Int32(matte.height), &steps)
    }
    self.steps = Int(steps)
    stillCount = still.count
    pixelCount = matte.plane.count
  }

  /// In thousandths of full opacity; nil if less than 1 % of the picture is still.
  package var thousandths: Double? {
    stillCount == 0 || 100 * stillCount < pixelCount ? nil : 1000 * Double(steps) / (255 * Double(stillCount))
  }
}
