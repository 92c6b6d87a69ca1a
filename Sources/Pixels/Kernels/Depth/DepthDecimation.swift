import CKernels

/// Downscales depth by an integer factor: each output pixel is the median of its block's
/// measurements.
///
/// The lower middle one of an even number is taken, so the distance was measured and never lies
/// between two surfaces. A block without measurements is a hole. Blocks at the right and bottom
/// edges may be cut off.
package struct DepthDecimation: Sendable {
  package let width: Int
  package let height: Int
  package let factor: Int
  private let pairs: KernelTable<UInt8>
  private let processor: Processor

  package var smallerWidth: Int { (width + factor - 1) / factor }
  package var smallerHeight: Int { (height + factor - 1) / factor }

  /// `width` and `height` are the input's; `factor` is clamped to 1 ... 8.
  package init(width: Int, height: Int, factor: Int, processor: Processor = .best) {
    self.width = width
    self.height = height
    self.factor = min(max(factor, 1), 8)
    self.processor = processor
    pairs = KernelTable(Self.sortingNetwork(count: self.factor * self.factor))
  }

  /// Writes `rows` of the smaller plane from the whole larger one.
  package func apply(_ depth: UnsafePointer<UInt16>, to smaller: UnsafeMutablePointer<UInt16>, rows: Range<Int>) {
    var decimation = RTKDecimation(
      width: Int32(width), height: Int32(height), factor: Int32(factor), pairs: pairs.address,
      pairCount: Int32(pairs.elements.count / 2))
    withExtendedLifetime(pairs) {
      rtk_depth_decimate(
        processor.choice, &decimation, depth, smaller, Int32(rows.lowerBound), Int32(rows.count))
    }
  }

  /// Pairs of positions to compare and exchange, in order, for any count: Batcher's merge exchange
  /// (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M).
  static func sortingNetwork(count: Int) -> [UInt8] {
    var pairs: [UInt8] = []
    var half = 1
    while half < count { half *= 2 }
    half /= 2
    var p = half
    while p > 0 {
      var (q, r, distance) = (half, 0, p)
      while true {
        for i in 0..<max(0, count - distance) where i & p == r { pairs += [UInt8(i), UInt8(i + distance)] }
        guard q != p else { break }
        (distance, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
    return pairs
  }
}
