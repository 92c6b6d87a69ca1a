import CKernels

/// What scores work in: of one size of mattes, and of one thread at a time. Each part is there from when it is first used.
package final class ScoreMemory {
  /// Pixels.
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private(set) lazy var regions = Part(rtk_regions_scratch(Int32(width), Int32(height)))
  /// Room for the most regions that there can be, at ten thresholds: 65 bytes a pixel, of which what is never written, nearly
  /// all, takes no memory.
  private(set) lazy var connectivity = Part(rtk_connectivity_scratch(Int32(width), Int32(height)))
  private(set) lazy var slopes = Part(rtk_slopes_scratch(Int32(width)))

  /// - Parameter processor: every choice gives the same values.
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
