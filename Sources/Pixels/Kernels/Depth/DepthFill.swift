import CKernels

/// Fills each hole with its farthest neighbour, since most holes are shadows on what lies behind.
///
/// Neighbours are the nearest measured pixels on both sides in the row and in the column, at any
/// distance. A hole inside a surface gets that surface; one beside a person gets the background.
/// Holes remain only where row and column are empty. Filled pixels are not neighbours, so the
/// result does not depend on order.
package final class DepthFill {
  private let processor: Processor
  /// The farther of the measurements above and below each pixel.
  private let found: PixelPlane<UInt16>
  private static let columnsInABlock = 16

  package init(width: Int, height: Int, processor: Processor = .best) {
    self.processor = processor
    found = PixelPlane(width: width, height: height)
  }

  package func apply(_ depth: UnsafeMutablePointer<UInt16>, bands: BandRunner) {
    let (found, width) = (found, found.width)
    bands.run(rowCount: (width + Self.columnsInABlock - 1) / Self.columnsInABlock) { blocks in
      let first = blocks.lowerBound * Self.columnsInABlock
      rtk_depth_columns(
        processor.choice, depth, found.samples, Int32(width), Int32(found.height), Int32(first),
        Int32(min(blocks.upperBound * Self.columnsInABlock, width) - first))
    }
    bands.run(rowCount: found.height) { rows in
      rtk_depth_fill(
        processor.choice, depth + rows.lowerBound * width, found.row(rows.lowerBound), Int32(width), Int32(rows.count))
    }
  }
}
