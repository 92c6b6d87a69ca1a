import CKernels

/// Finds where the person is too much like the empty scene for colour to correct what depth has measured.
///
/// In cells of 16 by 16 pixels it counts the person's pixels within the outline, and those of them that have the empty
/// scene's colour. Where these are more than a sixteenth in a cell and its eight neighbours, colour cannot tell.
final class PlateLikeness {
  private static let most = 16

  private let counts: PixelPlane<Int32>
  /// 255 where colour cannot tell; a row for each row of cells.
  private let isAlike: PixelPlane<UInt8>
  private let (columns, rows, width, height): (Int, Int, Int, Int)
  private let processor: Processor

  init(width: Int, height: Int, processor: Processor) {
    let cell = Int(RTKPlateCell)
    (self.width, self.height, self.processor) = (width, height, processor)
    (columns, rows) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
    counts = PixelPlane(width: 2 * columns, height: rows)
    isAlike = PixelPlane(width: width, height: rows)
  }

  /// - Parameters:
  ///   - kinds, classes: of the kernels, for each pixel.
  func find(_ kinds: PixelPlane<UInt8>, _ classes: PixelPlane<UInt8>, bands: BandRunner) {
    let cell = Int(RTKPlateCell)
    bands.run(rowCount: rows) { part in
      for row in part {
        counts.row(row).withMemoryRebound(to: RTKPlateCount.self, capacity: columns) { counts in
          rtk_count_alike(
            processor.choice, kinds.samples, classes.samples, Int32(width), Int32(row * cell),
            Int32(min(cell, height - row * cell)), counts)
        }
      }
    }
    bands.run(rowCount: rows) { part in
      for row in part {
        for column in 0..<columns {
          var (count, alike) = (0, 0)
          for y in max(0, row - 1)...min(rows - 1, row + 1) {
            let near = counts.row(y)
            for x in max(0, column - 1)...min(columns - 1, column + 1) {
              count += Int(near[2 * x])
              alike += Int(near[2 * x + 1])
            }
          }
          let from = column * cell
          (isAlike.row(row) + from).update(
            repeating: Self.most * alike > count ? 255 : 0, count: min(cell, width - from))
        }
      }
    }
  }

  /// For the pixels of a row.
  func row(of y: Int) -> UnsafeMutablePointer<UInt8> { isAlike.row(y / Int(RTKPlateCell)) }
}
