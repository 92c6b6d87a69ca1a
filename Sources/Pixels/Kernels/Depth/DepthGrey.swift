import CKernels

/// Depth as grey, between the nearest and farthest since the start (seed system E.23):
/// (d − offset) / range. Holes are black and do not count. If all measurements are equal, all is
/// black.
package struct DepthGrey: Hashable, Sendable {
  /// Millimetres; nil before the first measurement. The seed system then has an offset of −4 and a
  /// range of 8, without visible effect, since all pixels are holes.
  package private(set) var nearest: UInt16?
  package private(set) var farthest: UInt16?

  package init() {}

  /// Extends the range by a depth map of `count` millimetres, 0 = hole.
  package mutating func measure(_ depth: UnsafePointer<UInt16>, count: Int, processor: Processor = .best) {
    var lowest = nearest ?? .max
    var highest = farthest ?? 0
    rtk_depth_range(processor.choice, depth, count, &lowest, &highest)
    guard highest > 0 else { return }
    (nearest, farthest) = (lowest, highest)
  }

  /// - Parameter grey: its blocks must be marked as mixed; they are not updated.
  package func apply(
    _ depth: UnsafePointer<UInt16>, to grey: MatteSamples, rows: Range<Int>, processor: Processor = .best
  ) {
    let (lowest, reciprocal) = scale
    for y in rows {
      rtk_depth_grey(processor.choice, depth + y * grey.width, grey.row(y), grey.width, lowest, reciprocal)
    }
  }

  package var scale: (lowest: UInt16, reciprocal: UInt32) {
    guard let nearest, let farthest, farthest > nearest else { return (.max, 0) }
    let range = UInt64(farthest - nearest)
    return (nearest, UInt32((UInt64(MatteSamples.one) << 16 + range / 2) / range))
  }
}
