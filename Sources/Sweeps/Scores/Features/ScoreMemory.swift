import CKernels

/// Scratch memory of scores, for one matte size and one thread at a time. Each part is allocated on
/// first use.
package final class ScoreMemory {
  /// Pixels.
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private(set) lazy var regions = Part(rtk_regions_scratch(Int32(width), Int32(height)))
  /// Sized for the maximum number of regions at ten thresholds: 65 bytes per pixel. Nearly all of
  /// it is never written, so it uses no physical memory.
  private(set) lazy var connectivity = Part(rtk_connectivity_scratch(Int32(width), Int32(height)))
  private(set) lazy var slopes = Part(rtk_slopes_scratch(Int32(width)))

  /// - Parameter processor: affects speed only.
  package init(width: Int, height: Int, _ processor: RTKProcessor = rtk_processor()) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    self.processor = processor
  }

  func fits(_ matte: MatteFeatures) -> Bool { matte.width == width && matte.height == height }

  final class Part {
    let start: UnsafeMutableRawPointer
    init(_ byteCount: Int) { start = .allocate(byteCount: byteCount, alignment: 64) }
    deinit { start.deallocate() }
  }
}
