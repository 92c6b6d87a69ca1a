/// The median edge detector on planes of ranks, see `MedianPrediction8`. Residuals are zigzag coded: 0, −1, 1, −2, …
/// become 0, 1, 2, 3, …, so that small ones of either sign are small numbers.
enum MedianPrediction16 {
  typealias Lanes = SIMD8<Int16>

  /// Writes the zigzag coded residuals, row after row without gaps.
  /// - Parameter residuals: up to 7 samples behind the last row are overwritten.
  static func encode(_ plane: SamplePlane<Int16>, into residuals: UnsafeMutablePointer<UInt16>) {
    for y in 0..<plane.height {
      let row = plane.row(y)
      let above = plane.row(y - 1)
      let target = UnsafeMutableRawPointer(residuals + y * plane.width)
      for x in stride(from: 0, to: plane.width, by: 8) {
        let a = UnsafeRawPointer(row + x - 1).loadUnaligned(as: Lanes.self)
        let b = UnsafeRawPointer(above + x).loadUnaligned(as: Lanes.self)
        let c = UnsafeRawPointer(above + x - 1).loadUnaligned(as: Lanes.self)
        let sample = UnsafeRawPointer(row + x).loadUnaligned(as: Lanes.self)
        let sum = a &+ b
        let low = a.lesser(b)
        let edge = c.greater(low).lesser(sum &- low)
        let residual = sample &- sum &+ edge
        let zigzag = (residual &<< 1) ^ (residual &>> 15)
        // Each row's excess lies where the next row is written afterwards.
        (target + 2 * x).storeBytes(of: zigzag, as: Lanes.self)
      }
    }
  }

  /// Brings the ranks back, 8 rows at a time, as `MedianPrediction8.decode` does with 16.
  /// - Parameter residuals: 8 samples before the first and 24 behind the last are read, whatever they are.
  static func decode(_ residuals: UnsafePointer<UInt16>, into plane: SamplePlane<Int16>) {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 16) { block in
      guard let block = block.baseAddress else { return }
      for top in stride(from: 0, to: plane.height, by: 8) {
        decodeStrip(residuals + top * plane.width, plane, top: top, block)
      }
    }
  }

  private static func decodeStrip(
    _ residuals: UnsafePointer<UInt16>, _ plane: SamplePlane<Int16>, top: Int,
    _ block: UnsafeMutablePointer<Lanes>
  ) {
    let width = plane.width
    let rows = min(8, plane.height - top)
    let above = plane.row(top - 1)
    var left = Lanes()
    var aboveLeft = Lanes()
    for start in stride(from: 0, to: width + rows - 1, by: 8) {
      for lane in 0..<8 {
        // Lanes below the last row repeat it; nothing depends on them.
        let source = UnsafeRawPointer(residuals + (min(lane, rows - 1) * width + start - lane))
        let zigzag = source.loadUnaligned(as: Lanes.self)
        block[lane] = ((zigzag &>> 1) & 0x7FFF) ^ (0 &- (zigzag & 1))
      }
      transpose(block)
      if start == 0 { clearLanesBeforeFirstColumn(block) }
      for step in 0..<8 {
        let b = left.shifted(in: above[start + step])
        let sum = left &+ b
        let low = left.lesser(b)
        let edge = aboveLeft.greater(low).lesser(sum &- low)
        left = sum &+ block[step] &- edge
        aboveLeft = b
        block[step] = left
      }
      transpose(block)
      for lane in 0..<rows {
        UnsafeMutableRawPointer(plane.row(top + lane) + (start - lane)).storeBytes(
          of: block[lane], as: Lanes.self)
      }
    }
  }

  /// In the first block, lane k begins k columns before the plane: there, all is 0.
  private static func clearLanesBeforeFirstColumn(_ block: UnsafeMutablePointer<Lanes>) {
    for step in 0..<7 {
      for lane in (step + 1)..<8 { block[step][lane] = 0 }
    }
  }

  /// An 8x8 transposition in three rounds of perfect shuffles. The second half of `block` is scratch.
  @inline(__always)
  private static func transpose(_ block: UnsafeMutablePointer<Lanes>) {
    shuffle(block, block + 8)
    shuffle(block + 8, block)
    shuffle(block, block + 8)
    block.update(from: block + 8, count: 8)
  }

  @inline(__always)
  private static func shuffle(_ from: UnsafeMutablePointer<Lanes>, _ to: UnsafeMutablePointer<Lanes>) {
    for i in 0..<4 {
      let (a, b) = (from[i], from[i + 4])
      to[2 * i] = Lanes.zipLow(a, b)
      to[2 * i + 1] = Lanes.zipHigh(a, b)
    }
  }
}
