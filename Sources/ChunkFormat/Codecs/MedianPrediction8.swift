/// The median edge detector of JPEG-LS on planes of 8-bit samples, modulo 256.
///
/// With a = left, b = above, c = above left, and 0 for all that lies outside the plane, a sample is predicted as min(a,
/// b) where c is the largest of the three, max(a, b) where it is the smallest, and a + b − c between. That is a + b −
/// clamp(c, min(a, b), max(a, b)), where max(a, b) = a + b − min(a, b): nothing needs more than 8 bits. On the first
/// row it is the left neighbour, in the first column the one above.
enum MedianPrediction8 {
  typealias Lanes = SIMD16<UInt8>

  /// Writes sample − prediction, row after row without gaps.
  /// - Parameter residuals: up to 15 bytes behind the last row are overwritten.
  static func encode(_ plane: SamplePlane<UInt8>, into residuals: UnsafeMutablePointer<UInt8>) {
    let (width, height) = (plane.width, plane.height)
    var target = UnsafeMutableRawPointer(residuals)
    for y in 0..<height {
      let row = UnsafeRawPointer(plane.row(y))
      let above = UnsafeRawPointer(plane.row(y - 1))
      var x = 0
      // Each row's excess lies where the next row is written afterwards.
      while x < width {
        let a = (row + x - 1).loadUnaligned(as: Lanes.self)
        let b = (above + x).loadUnaligned(as: Lanes.self)
        let c = (above + x - 1).loadUnaligned(as: Lanes.self)
        let sample = (row + x).loadUnaligned(as: Lanes.self)
        let sum = a &+ b
        let low = a.lesser(b)
        let edge = c.greater(low).lesser(sum &- low)
        (target + x).storeBytes(of: sample &- sum &+ edge, as: Lanes.self)
        x += 16
      }
      target += width
    }
  }

  /// Brings the samples back, 16 rows at a time: lane k of a vector works on row k and, in step t, on column t − k.
  /// What is above it is then what lane k − 1 found one step earlier, and what is above left one step before that.
  /// - Parameter residuals: 16 bytes before the first and 48 behind the last are read, whatever they are.
  static func decode(_ residuals: UnsafePointer<UInt8>, into plane: SamplePlane<UInt8>) {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 32) { block in
      guard let block = block.baseAddress else { return }
      for top in stride(from: 0, to: plane.height, by: 16) {
        decodeStrip(UnsafeRawPointer(residuals + top * plane.width), plane, top: top, block)
      }
    }
  }

  private static func decodeStrip(
    _ residuals: UnsafeRawPointer, _ plane: SamplePlane<UInt8>, top: Int, _ block: UnsafeMutablePointer<Lanes>
  ) {
    let width = plane.width
    let rows = min(16, plane.height - top)
    let above = plane.row(top - 1)
    var left = Lanes()
    var aboveLeft = Lanes()
    for start in stride(from: 0, to: width + rows - 1, by: 16) {
      for lane in 0..<16 {
        // Lanes below the last row repeat it; nothing depends on them.
        let source = residuals + (min(lane, rows - 1) * width + start - lane)
        block[lane] = source.loadUnaligned(as: Lanes.self)
      }
      transpose(block)
      if start == 0 { clearLanesBeforeFirstColumn(block) }
      for step in 0..<16 {
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
        (UnsafeMutableRawPointer(plane.row(top + lane)) + (start - lane)).storeBytes(
          of: block[lane], as: Lanes.self)
      }
    }
  }

  /// In the first block, lane k begins k columns before the plane: there, all is 0.
  private static func clearLanesBeforeFirstColumn(_ block: UnsafeMutablePointer<Lanes>) {
    for step in 0..<15 {
      for lane in (step + 1)..<16 { block[step][lane] = 0 }
    }
  }

  /// A 16x16 transposition in four rounds of perfect shuffles. The second half of `block` is scratch.
  @inline(__always)
  private static func transpose(_ block: UnsafeMutablePointer<Lanes>) {
    shuffle(block, block + 16)
    shuffle(block + 16, block)
    shuffle(block, block + 16)
    shuffle(block + 16, block)
  }

  @inline(__always)
  private static func shuffle(_ from: UnsafeMutablePointer<Lanes>, _ to: UnsafeMutablePointer<Lanes>) {
    for i in 0..<8 {
      let (a, b) = (from[i], from[i + 8])
      to[2 * i] = Lanes.zipLow(a, b)
      to[2 * i + 1] = Lanes.zipHigh(a, b)
    }
  }
}
