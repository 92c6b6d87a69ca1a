/// Finds the distance behind the nearest large thing: a gap in the histogram of depth.
///
/// In bins of 50 mm: what is nearest begins where a hundredth of the pixels has been passed. Behind
/// it the gap is the first 200 mm that hold less than a three-hundredth of the pixels, once a
/// twenty-fifth of them is in front. Without such a gap it is the emptiest 200 mm within 1.2 m.
package final class NearestSurface {
  private static let binMillimeters = 50
  private static let gapBins = 4
  private static let reachBins = 24

  private let histogram: PixelPlane<Int32>

  package init() { histogram = PixelPlane(width: 65_536 / Self.binMillimeters + Self.reachBins + Self.gapBins, height: 1) }

  /// - Parameter depth: millimetres, 0 where it is missing.
  /// - Returns: the middle of the gap in millimetres; nil if less than a twenty-fifth is measured.
  package func distanceBehind(_ depth: PixelPlane<UInt16>) -> UInt16? {
    histogram.fill(0)
    let (bins, samples, count) = (histogram.samples, depth.samples, depth.count)
    for i in 0..<count { bins[Int(samples[i]) / Self.binMillimeters] += 1 }
    // Holes, and what is nearer than any sensor measures.
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

  /// The first bin of what is nearest; flying pixels in front of it do not count.
  private func start(_ bins: UnsafePointer<Int32>, least: Int) -> Int? {
    var passed = 0
    for bin in 0..<histogram.width {
      passed += Int(bins[bin])
      if passed > least { return bin }
    }
    return nil
  }
}
