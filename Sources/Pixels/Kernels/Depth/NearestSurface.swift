/// Finds a cut-off distance behind the nearest large object, from a histogram of depth with bins of
/// 50 mm.
///
/// The object begins in the bin where the count exceeds 1/100 of the pixels. The cut-off is in the
/// first 200 mm that hold less than 1/300 of the pixels, once the object has 1/25 of them. Without
/// such a gap it is in the emptiest 200 mm within 1.2 m.
package final class NearestSurface {
  private static let binMillimeters = 50
  private static let gapBins = 4
  private static let reachBins = 24

  private let histogram: PixelPlane<Int32>

  package init() {
    histogram = PixelPlane(width: 65_536 / Self.binMillimeters + Self.reachBins + Self.gapBins, height: 1)
  }

  /// - Parameter depth: millimetres, 0 where it is missing.
  /// - Returns: the middle of the gap, in millimetres; nil if there is no large object within 1.2 m of
  ///   the nearest depth.
  package func distanceBehind(_ depth: PixelPlane<UInt16>) -> UInt16? {
    histogram.fill(0)
    let (bins, samples, count) = (histogram.samples, depth.samples, depth.count)
    for i in 0..<count { bins[Int(samples[i]) / Self.binMillimeters] += 1 }
    // Ignores holes, and depth nearer than any sensor measures.
    bins[0] = 0
    guard let first = start(bins, least: count / 100) else { return nil }
    var (passed, best, fewest) = (0, -1, Int.max)
    for bin in first..<min(first + Self.reachBins, histogram.width - Self.gapBins) {
      if passed >= count / 25 {
        let within = (0..<Self.gapBins).reduce(0) { $0 + Int(bins[bin + $1]) }
        if within < fewest { (best, fewest) = (bin, within) }
        if within < count / 300 { break }
      }
      passed += Int(bins[bin])
    }
    guard best >= 0 else { return nil }
    return UInt16(clamping: (2 * best + Self.gapBins) * Self.binMillimeters / 2)
  }

  /// The first bin of the nearest object. `least` keeps flying pixels in front of it from counting.
  private func start(_ bins: UnsafePointer<Int32>, least: Int) -> Int? {
    var passed = 0
    for bin in 0..<histogram.width {
      passed += Int(bins[bin])
      if passed > least { return bin }
    }
    return nil
  }
}
