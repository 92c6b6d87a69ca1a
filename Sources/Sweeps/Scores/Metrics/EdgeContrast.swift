import CKernels

/// How much the picture's colours differ across a matte's outline. An outline that runs through the person, or
/// through what is behind, has similar colours on both sides.
///
/// The outline is every pair of pixels, side by side or one above the other, of which only one is at least half
/// opaque. The colours compared are those `reach` pixels farther away on each side, so that neither soft edges nor
/// an outline that is off by a pixel count as similar. Beyond the picture, edges repeat.
package struct EdgeContrast: Hashable, Sendable {
  /// Σ|ΔR| + |ΔG| + |ΔB|, in steps of 1/255.
  package private(set) var steps = 0
  package private(set) var pairCount = 0

  package init() {}

  /// Mean difference of a channel, 0 to 255; nil without an outline.
  package var mean: Double? { pairCount == 0 ? nil : Double(steps) / (3 * Double(pairCount)) }

  /// 4 pixels per 640 of the picture's width, rounded, at least 1.
  package static func reach(width: Int) -> Int { max(1, (4 * width + 320) / 640) }

  /// - Parameter picture: packed RGB of the matte's size.
  package init(_ matte: MatteFeatures, _ picture: UnsafePointer<UInt8>) {
    var (sum, count): (Int64, Int64) = (0, 0)
    rtk_contrast(
      matte.processor, matte.personPixels.words, picture, Int32(matte.width), Int32(matte.height),
      Int32(Self.reach(width: matte.width)), &sum, &count)
    (steps, pairCount) = (Int(sum), Int(count))
  }

  package static func + (a: EdgeContrast, b: EdgeContrast) -> EdgeContrast {
    var sum = a
    sum.steps += b.steps
    sum.pairCount += b.pairCount
    return sum
  }
}
