import CKernels

/// Colour models of the inside and the outside near each cell of 8 by 8 mask pixels: the direction
/// that separates the two best, and how often it puts known pixels on the wrong side.
final class CellModels {
  /// Radii of box sums, in cells. Models learn from the near box, applied twice. Where that holds too
  /// few pixels, the wide box is added. Errors are summed by their own box, applied twice.
  private enum Radius {
    static let near = 3
    static let wide = 9
    static let errors = 1
  }

  let models: UnsafeMutablePointer<RTKCellModel>
  /// Weight of the refined matte in each cell, 0 ... 256. `holeGate` is for pixels without depth.
  let gate: PixelPlane<Int16>
  let holeGate: PixelPlane<Int16>
  private let cells: RTKCells
  private let isWanted: PixelPlane<UInt8>
  private let near: PixelPlane<Int64>
  private let wide: PixelPlane<Int64>
  private let counts: PixelPlane<Int64>
  private let scratch: PixelPlane<Int64>
  private let doubt: Int32
  private let processor: Processor

  /// - Parameter doubt: share of known pixels on the wrong side at which refinement ends, 0 to 1. At 1
  ///   everything is refined.
  init(width: Int, height: Int, doubt: Double, processor: Processor) {
    cells = rtk_cells(Int32(width), Int32(height))
    let count = Int(cells.columns * cells.rows)
    func plane<Sample: FixedWidthInteger & Sendable>(_ planeCount: Int) -> PixelPlane<Sample> {
      PixelPlane(width: count, height: planeCount)
    }
    models = .allocate(capacity: count)
    models.initialize(repeating: RTKCellModel(), count: count)
    (gate, holeGate, isWanted) = (plane(1), plane(1), plane(1))
    let sumCount = 2 * Int(RTKCellSums)
    (near, wide, counts, scratch) = (plane(sumCount), plane(sumCount), plane(4), plane(sumCount))
    self.doubt = Int32((min(max(doubt, 0), 1) * 65_536).rounded(.toNearestOrEven))
    self.processor = processor
  }

  deinit { models.deallocate() }

  /// - Parameter colors: the picture's colours, or their differences from the empty scene's.
  func learn(_ colors: ReducedColors, _ belt: RefinementBelt, bands: BandRunner) {
    let view = colors.view
    let (choice, known, rowCount) = (processor.choice, belt.known.samples, Int(cells.rows))
    bands.run(rowCount: rowCount) { rows in
      let (first, count) = (Int32(rows.lowerBound), Int32(rows.count))
      var view = view
      rtk_cell_sums(choice, &view, known, near.samples, first, count)
      rtk_wanted_cells(
        choice, belt.kinds.samples, Int32(colors.width), Int32(colors.height), isWanted.samples, first, count)
    }
    bands.run(rowCount: near.height) { planes in
      for k in planes {
        wide.row(k).update(from: near.row(k), count: near.width)
        for _ in 0..<2 { sum(near, k, Radius.near) }
        sum(wide, k, Radius.wide)
      }
    }
    bands.run(rowCount: rowCount) { rows in
      rtk_cell_models(
        choice, cells, near.samples, wide.samples, isWanted.samples, models, Int32(rows.lowerBound), Int32(rows.count))
      var view = view
      rtk_cell_errors(choice, &view, known, models, counts.samples, Int32(rows.lowerBound), Int32(rows.count))
    }
    for k in 0..<counts.height {
      for _ in 0..<2 { sum(counts, k, Radius.errors) }
    }
    open(gate, doubt)
    // Where depth is missing, the mask is a guess, so colour is used unless it is nearly useless.
    open(holeGate, min(65_536, 16 * doubt))
  }

  private func sum(_ planes: PixelPlane<Int64>, _ k: Int, _ radius: Int) {
    rtk_cell_box(processor.choice, cells, Int32(radius), planes.row(k), scratch.row(k))
  }

  private func open(_ gate: PixelPlane<Int16>, _ doubt: Int32) {
    guard doubt < 65_536 else { return gate.fill(256) }
    rtk_cell_gate(processor.choice, cells, counts.samples, models, doubt, gate.samples, 0, cells.rows)
  }
}
