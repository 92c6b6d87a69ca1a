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
    let (width, height, samples) = (matte.width, matte.height, matte.plane.samples)
    let reach = Self.reach(width: width)
    func difference(_ a: Int, _ b: Int) -> Int {
      (0..<3).reduce(0) { $0 + abs(Int(picture[3 * a + $1]) - Int(picture[3 * b + $1])) }
    }
    // A contour pixel differs from its right, its lower, or its lower right neighbour.
    matte.contour.pixels.forEach(width: width, height: height) { x, y in
      let here = y * width + x
      let isPerson = samples[here] >= 128
      if x + 1 < width, (samples[here + 1] >= 128) != isPerson {
        steps += difference(y * width + max(0, x - reach), y * width + min(width - 1, x + 1 + reach))
        pairCount += 1
      }
      if y + 1 < height, (samples[here + width] >= 128) != isPerson {
        steps += difference(max(0, y - reach) * width + x, min(height - 1, y + 1 + reach) * width + x)
        pairCount += 1
      }
    }
  }

  package static func + (a: EdgeContrast, b: EdgeContrast) -> EdgeContrast {
    var sum = a
    sum.steps += b.steps
    sum.pairCount += b.pairCount
    return sum
  }
}
