import CKernels

/// Edge-preserving smoothing: a recursive filter along rows, then columns, in both directions. It
/// follows librealsense's spatial filter, after Gastal and Oliveira's domain transform.
///
/// Along a line, y is the last filtered pixel and x the next. If neither is a hole and
/// |x − y| ≤ delta, x becomes y + alpha · (x − y); else x stays and the filter restarts. Holes are
/// neither filled nor used. Within a line y has 8 fractional bits of a millimetre; after both
/// directions the result is rounded to nearest.
package final class DepthSpatialFilter {
  package let width: Int
  package let height: Int
  package let share: Int32
  package let delta: Int32
  private let processor: Processor
  private let scratch: KernelScratch

  /// `alpha`, 0 ... 1, is the new value's weight; `deltaMillimeters` is 0 ... 1000.
  package init(
    width: Int, height: Int, alpha: Double, deltaMillimeters: Int, threadCount: Int, processor: Processor = .best
  ) {
    self.width = width
    self.height = height
    share = DepthShare.fixed(alpha)
    delta = DepthShare.delta(deltaMillimeters)
    self.processor = processor
    scratch = KernelScratch(
      byteCount: rtk_depth_spatial_scratch(Int32(width), Int32(height)), threadCount: threadCount)
  }

  /// Runs one pass in place. `bands` may have at most the prepared number of threads.
  package func apply(_ depth: UnsafeMutablePointer<UInt16>, bands: BandRunner) {
    let lanes = Int(RTKDepthLanes)
    let (width, height) = (Int32(width), Int32(height))
    // Blocks are independent of each other.
    bands.run(rowCount: (self.height + lanes - 1) / lanes) { blocks, thread in
      rtk_depth_spatial_rows(
        processor.choice, depth, width, height, share, delta, Int32(blocks.lowerBound), Int32(blocks.count),
        scratch.piece(thread))
    }
    bands.run(rowCount: (self.width + lanes - 1) / lanes) { blocks, thread in
      rtk_depth_spatial_columns(
        processor.choice, depth, width, height, share, delta, Int32(blocks.lowerBound), Int32(blocks.count),
        scratch.piece(thread))
    }
  }
}
