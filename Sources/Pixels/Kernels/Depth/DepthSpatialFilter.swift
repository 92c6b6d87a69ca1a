import CKernels

/// Smooths surfaces and keeps edges: a recursive filter along rows and then columns, each there and back, as the spatial
/// filter of librealsense, after Gastal and Oliveira's domain transform.
///
/// Along a line, y is what was filtered last and x the next pixel: where neither is a hole and |x − y| ≤ delta,
/// x becomes y + alpha · (x − y); else it stays and the filter begins anew. So holes neither give nor take. Inside a line
/// y has 8 fractional bits of a millimetre; what is written after both directions is rounded to nearest.
package final class DepthSpatialFilter {
  package let width: Int
  package let height: Int
  private let share: Int32
  private let delta: Int32
  private let processor: Processor
  private let scratch: KernelScratch

  /// - Parameters:
  ///   - alpha: 0 ... 1, of the new value; 1 changes nothing.
  ///   - deltaMillimeters: 0 ... 1000.
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

  /// One pass, in place.
  /// - Parameter bands: of at most the prepared number of threads.
  package func apply(_ depth: UnsafeMutablePointer<UInt16>, bands: BandRunner) {
    let lanes = Int(RTKDepthLanes)
    let (width, height) = (Int32(width), Int32(height))
    // Blocks of rows, then blocks of columns: none sees another's.
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

  /// The rule as it is written; what the kernel is tested against.
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
