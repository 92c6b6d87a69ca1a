/// Finds a cut-off distance behind the nearest large object, from a histogram of depth with bins of 25 mm.
///
/// The object begins in the bin where the count exceeds 1/100 of the pixels. The cut-off is in the middle of the first gap
/// behind 1/25 of the pixels: 200 mm that hold less than 1/300 of them, or else 150, 100 or 75 mm that hold as little for
/// their width, since people stand before walls. A cut that leaves less than a quarter of what is measured behind it is
/// none. If there is no such gap, one behind 1/100 of the pixels counts; without one, the emptiest 200 mm within 1.2 m.
package final class NearestSurface {
  package struct Surface: Hashable, Sendable {
    /// Behind it, in millimetres.
    package var distance: UInt16
    /// Pixels that are nearer, and those with depth.
    package var count: Int
    package var measuredCount: Int
  }

  private static let binMillimeters = 25
  private static let gaps = [8, 6, 4, 3]
  private static let reachBins = 48

  private let histogram: PixelPlane<Int32>

  package init() {
    histogram = PixelPlane(width: 65_536 / Self.binMillimeters + Self.reachBins + Self.gaps[0] + 1, height: 1)
  }

  /// - Parameter depth: millimetres, 0 where it is missing.
  /// - Returns: nil if there is no large object within 1.2 m of the nearest depth.
  package func surface(in depth: PixelPlane<UInt16>) -> Surface? {
    histogram.fill(0)
    let (bins, samples, count) = (histogram.samples, depth.samples, depth.count)
    for i in 0..<count { bins[Int(samples[i]) / Self.binMillimeters] += 1 }
    // Ignores holes, and depth nearer than any sensor measures.
    bins[0] = 0
    // `nearer[i]`: of the pixels before bin `first + i`.
    let measured = (0..<histogram.width).reduce(0) { $0 + Int(bins[$1]) }
    guard let first = start(bins, least: count / 100) else { return nil }
    func found(_ bin: Int, _ width: Int, nearer: Int) -> Surface {
      Surface(
        distance: UInt16(clamping: (2 * bin + width) * Self.binMillimeters / 2), count: nearer,
        measuredCount: measured)
    }
    var small: Surface?
    for width in Self.gaps {
      let least = count * width / (300 * Self.gaps[0])
      var nearer = 0
      for bin in first..<first + Self.reachBins {
        guard 4 * nearer < 3 * measured else { break }
        if nearer >= count / 100, small == nil || nearer >= count / 25, within(bins, bin, width) < least {
          let surface = found(bin, width, nearer: nearer)
          if nearer >= count / 25 { return surface }
          small = surface
        }
        nearer += Int(bins[bin])
      }
    }
    return small ?? emptiest(bins, first, large: count / 25).map { found($0.bin, Self.gaps[0], nearer: $0.nearer) }
  }

  private func emptiest(_ bins: UnsafePointer<Int32>, _ first: Int, large: Int) -> (bin: Int, nearer: Int)? {
    var (nearer, fewest) = (0, Int.max)
    var best: (bin: Int, nearer: Int)?
    for bin in first..<first + Self.reachBins {
      if nearer >= large, case let count = within(bins, bin, Self.gaps[0]), count < fewest {
        (best, fewest) = ((bin, nearer), count)
      }
      nearer += Int(bins[bin])
    }
    return best
  }

  private func within(_ bins: UnsafePointer<Int32>, _ bin: Int, _ width: Int) -> Int {
    (0..<width).reduce(0) { $0 + Int(bins[bin + $1]) }
  }

  /// The first bin of the nearest object. `least` keeps flying pixels in front of it from counting.
  private func start(_ bins: UnsafePointer<Int32>, least: Int) -> Int? {
    var passed = 0
    for bin in 0..<histogram.width - Self.reachBins - Self.gaps[0] {
      passed += Int(bins[bin])
      if passed > least { return bin }
    }
    return nil
  }
}
