import FrameModel

/// Finds out on some rows of an RGB24 frame which planes leave the smaller residuals.
///
/// Differences of colours pay where edges and texture are what there is to predict. They do not where every colour has noise
/// of its own, as after demosaicing by means: they add it up.
final class RGBTrial {
  /// One row in so many is tried.
  private static let step = 64
  /// Residuals that are rated together.
  private static let groupCount = 16

  private let planes = ScratchMemory()
  private let residuals = ScratchMemory()

  /// - Parameter bytes: a whole frame's packed bytes.
  func form(for bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> PlaneForm {
    guard layout.width >= Self.groupCount, let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return .liftedColumns
    }
    let lifted = cost(base, layout, .lifted)
    return cost(base, layout, .plain) < lifted ? .rgbColumns : .liftedColumns
  }

  /// In half bits a group, less what is the same for all planes.
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
        // The first row has none above it.
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
