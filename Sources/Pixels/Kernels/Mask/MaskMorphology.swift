import CKernels

/// One step of morphology on an 8-bit mask: each pixel becomes the largest or the smallest sample under a disc round it.
///
/// The disc holds the pixels at dx² + dy² ≤ r² + r: those whose middle is nearer than r + ½, so that it is 2 r + 1 wide and
/// as round as pixels allow. What lies outside the mask is not under it, which is the same as repeating the mask's edge.
/// Grey masks keep their greys.
package struct MaskMorphology: Sendable {
  package enum Extreme: Sendable {
    /// Dilation: the mask grows.
    case largest
    /// Erosion: it shrinks.
    case smallest
  }

  package let extreme: Extreme
  package let radius: Int
  package let width: Int
  package let height: Int
  private let processor: Processor
  private let reach: KernelTable<Int32>
  private let scratch: KernelScratch

  /// - Parameters:
  ///   - radius: pixels, 0 to 1000.
  ///   - threadCount: how many bands may be made at once.
  package init(
    _ extreme: Extreme, radius: Int, width: Int, height: Int, threadCount: Int, processor: Processor = .best
  ) {
    precondition((0...1000).contains(radius))
    self.extreme = extreme
    self.radius = radius
    self.width = width
    self.height = height
    self.processor = processor
    reach = KernelTable((0...radius).map { d in Int32(Self.reach(radius, at: d)) })
    var disc = Self.disc(reach, radius: radius, width: width, height: height)
    scratch = KernelScratch(byteCount: rtk_disc_scratch(&disc), threadCount: threadCount)
  }

  /// How far a disc goes to each side in the row `distance` above its middle.
  private static func reach(_ radius: Int, at distance: Int) -> Int {
    var dx = 0
    while (dx + 1) * (dx + 1) + distance * distance <= radius * (radius + 1) { dx += 1 }
    return dx
  }

  private static func disc(_ reach: KernelTable<Int32>, radius: Int, width: Int, height: Int) -> RTKDisc {
    RTKDisc(width: Int32(width), height: Int32(height), radius: Int32(radius), reach: reach.address)
  }

  /// - Parameters:
  ///   - mask: `width` · `height`, complete.
  ///   - result: as large, and not the mask.
  ///   - rows: of the result.
  ///   - thread: which of `threadCount`; no two at once have the same.
  package func apply(
    _ mask: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, rows: Range<Int>, thread: Int
  ) {
    var disc = Self.disc(reach, radius: radius, width: width, height: height)
    withExtendedLifetime(self) {
      rtk_disc_extreme(
        processor.choice, &disc, extreme == .largest ? 0 : 255, mask, result, Int32(rows.lowerBound),
        Int32(rows.count), scratch.piece(thread))
    }
  }
}

extension MaskMorphology {
  /// The rule, pixel by pixel; what the kernels are tested against.
  package func reference(_ mask: [UInt8]) -> [UInt8] {
    mask.indices.map { i in
      var (least, most) = (UInt8.max, UInt8.min)
      for y in max(i / width - radius, 0)...min(i / width + radius, height - 1) {
        for x in max(i % width - radius, 0)...min(i % width + radius, width - 1) {
          let (dx, dy) = (x - i % width, y - i / width)
          guard dx * dx + dy * dy <= radius * radius + radius else { continue }
          least = min(least, mask[y * width + x])
          most = max(most, mask[y * width + x])
        }
      }
      return extreme == .largest ? most : least
    }
  }
}
