import CKernels

/// Morphology on an 8-bit mask: each pixel becomes the largest or smallest sample under a disc
/// around it.
///
/// The disc holds the pixels with dx² + dy² ≤ r² + r, whose centre is nearer than r + ½: it is
/// 2r + 1 wide. Pixels outside the mask do not count, which equals repeating its edge.
package struct MaskMorphology: Sendable {
  package enum Extreme: Sendable {
    /// Dilation.
    case largest
    /// Erosion.
    case smallest
  }

  package enum Samples: Sendable {
    /// Values are kept.
    case grey
    /// Samples from 128 on count as 255, others as 0: several times as fast.
    case twoValues
  }

  package let extreme: Extreme
  package let radius: Int
  package let width: Int
  package let height: Int
  private let samples: Samples
  private let processor: Processor
  private let reach: KernelTable<Int32>
  private let disc: RTKDisc
  private let scratch: KernelScratch

  package init(
    _ extreme: Extreme, of samples: Samples = .grey, radius: Int, width: Int, height: Int, threadCount: Int,
    processor: Processor = .best
  ) {
    precondition((0...1000).contains(radius))
    self.samples = samples
    self.extreme = extreme
    self.radius = radius
    self.width = width
    self.height = height
    self.processor = processor
    reach = KernelTable((0...radius).map { d in Int32(Self.reach(radius, at: d)) })
    var disc = RTKDisc(
      width: Int32(width), height: Int32(height), radius: Int32(radius), reach: reach.address)
    self.disc = disc
    let byteCount = samples == .grey ? rtk_disc_scratch(&disc) : rtk_disc_bits_scratch(&disc)
    scratch = KernelScratch(byteCount: byteCount, threadCount: threadCount)
  }

  /// The disc's half-width in the row at this distance from its centre.
  private static func reach(_ radius: Int, at distance: Int) -> Int {
    var dx = 0
    while (dx + 1) * (dx + 1) + distance * distance <= radius * (radius + 1) { dx += 1 }
    return dx
  }

  /// - Parameter result: not the mask itself.
  package func apply(
    _ mask: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, rows: Range<Int>, thread: Int
  ) {
    var disc = disc
    withExtendedLifetime(self) {
      let apply = samples == .grey ? rtk_disc_extreme : rtk_disc_bits
      apply(
        processor.choice, &disc, extreme == .largest ? 0 : 255, mask, result, Int32(rows.lowerBound),
        Int32(rows.count), scratch.piece(thread))
    }
  }
}
