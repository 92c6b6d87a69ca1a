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
  private let share: Int32
  private let delta: Int32
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

  package func reference(_ depth: [UInt16]) -> [UInt16] {
    var plane = depth
    for y in 0..<height { run(&plane, from: y * width, step: 1, count: width) }
    for x in 0..<width { run(&plane, from: x, step: width, count: height) }
    return plane
  }

  private func run(_ plane: inout [UInt16], from start: Int, step: Int, count: Int) {
    var line = (0..<count).map { Int(plane[start + $0 * step]) << 8 }
    func filter(_ i: Int, _ before: Int) {
      guard line[i] != 0, line[before] != 0, abs(line[i] - line[before]) <= Int(delta) << 8 else { return }
      line[i] = DepthShare.mix(line[before], line[i], share: share)
    }
    for i in 1..<max(count, 1) { filter(i, i - 1) }
    for i in (0..<count - 1).reversed() { filter(i, i + 1) }
    for i in 0..<count { plane[start + i * step] = DepthShare.millimeters(line[i]) }
  }
}
