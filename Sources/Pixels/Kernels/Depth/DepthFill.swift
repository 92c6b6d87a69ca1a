import CKernels

/// Fills holes with the farthest of the neighbours, since most holes are shadows on what lies behind.
///
/// A hole's neighbours are the nearest measured pixels of its row, left and right, and of its column, above and below: so a
/// hole inside a surface gets that surface, one beside a person what is behind, and large ones are filled from as far as
/// the edge of the picture. Only a hole whose row and column are all holes stays one. Filled pixels are no one's
/// neighbours, so the result does not depend on an order.
package final class DepthFill {
  private let processor: Processor
  /// The farther of what lies above and below.
  private let found: PixelPlane<UInt16>
  private static let columnsInABlock = 16

  package init(width: Int, height: Int, processor: Processor = .best) {
    self.processor = processor
    found = PixelPlane(width: width, height: height)
  }

  /// In place.
  /// - Parameter depth: the whole plane.
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

  /// The rule as it is written; what the kernel is tested against.
  package static func reference(_ depth: [UInt16], width: Int, height: Int) -> [UInt16] {
    depth.indices.map { i in
      guard depth[i] == 0 else { return depth[i] }
      let (x, y) = (i % width, i / width)
      let row = (0..<width).map { depth[y * width + $0] }
      let column = (0..<height).map { depth[$0 * width + x] }
      let neighbors = [
        row[..<x].last { $0 != 0 }, row[x...].first { $0 != 0 }, column[..<y].last { $0 != 0 },
        column[y...].first { $0 != 0 },
      ]
      return neighbors.compactMap { $0 }.max() ?? 0
    }
  }
}
