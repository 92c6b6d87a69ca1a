import FrameModel

/// Chooses the planes of an RGB24 frame by their residuals on some of its rows.
///
/// Colour differences pay off where edges and texture dominate. They do not where each colour has
/// noise of its own, as after demosaicing by averaging: differences add it up.
final class RGBTrial {
  /// One row in `step` is tried.
  private static let step = 64
  /// Residuals per group; each group adds its class to the cost.
  private static let groupCount = 16

  private let planes = ScratchMemory()
  private let residuals = ScratchMemory()

  func form(for bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> PlaneForm {
    guard layout.width >= Self.groupCount, let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return .liftedColumns
    }
    let lifted = cost(base, layout, .lifted)
    return cost(base, layout, .plain) < lifted ? .rgbColumns : .liftedColumns
  }

  /// Sum of the groups' classes: an estimate in half bits per residual, up to a constant.
  private func cost(_ base: UnsafePointer<UInt8>, _ layout: FrameLayout, _ form: RGBPlanes) -> Int {
    let width = layout.width
    let planeByteCount = SamplePlane<UInt8>.byteCount(width: width, height: 2)
    let memory = UnsafeMutableRawPointer(planes.samples(of: UInt8.self, 3 * planeByteCount))
    let residuals = residuals.samples(of: UInt8.self, 2 * width)
    var cost = 0
    for y in stride(from: Self.step / 2, to: layout.height, by: Self.step) {
      let rows = InlineArray<3, SamplePlane<UInt8>> {
        SamplePlane(width: width, height: 2, in: memory + $0 * planeByteCount)
      }
      for row in 0..<2 {
        form.split(
          base + (y - 1 + row) * layout.bytesPerRow, count: width, rows[0].row(row), rows[1].row(row), rows[2].row(row))
      }
      for plane in 0..<3 {
        rows[plane].clearSurroundings()
        MedianPrediction8.encode(rows[plane], into: residuals)
        // Only the second row counts: the first has no row above it.
        cost += Self.cost(residuals + width, count: width)
      }
    }
    return cost
  }

  private static func cost(_ residuals: UnsafePointer<UInt8>, count: Int) -> Int {
    var cost = 0
    for start in stride(from: 0, through: count - groupCount, by: groupCount) {
      var sum = 0
      for i in start..<start + groupCount { sum += Int(Int8(bitPattern: residuals[i]).magnitude) }
      cost += Int(TileSorting.classOf(sum: sum))
    }
    return cost
  }
}
