/// Where each output sample of a line takes its four inputs from, and their weights.
package struct ResampleTable: Sendable {
  /// Weights have 14 fractional bits; the four of a sample add up to exactly one.
  package static let one: Int32 = 1 << 14

  package let sourceLength: Int
  package let targetLength: Int
  /// For each output sample four source positions, inside the source (edges replicate).
  package let positions: [Int32]
  package let weights: [Int32]

  /// Bicubic, of the Mitchell–Netravali family.
  ///
  /// Output sample i lies at (i + ½) / scale − ½ + offset of the source: pixel centres map to pixel centres.
  /// - Parameters:
  ///   - scale: output samples for each source sample, as a fraction.
  ///   - offset: source samples.
  ///   - b, c: Core Image's bicubic scale transform has B = 0, C = 0.75.
  package init(
    bicubicFrom sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int,
    offset: Double = 0, b: Double = 0, c: Double = 0.75
  ) {
    self.sourceLength = sourceLength
    self.targetLength = targetLength
    var positions: [Int32] = []
    var weights: [Int32] = []
    for i in 0..<targetLength {
      // Only IEEE's four operations and floor: the same bits everywhere.
      let place =
        (Double(i) + 0.5) * Double(scaleDenominator) / Double(scaleNumerator) - 0.5 + offset
      let floor = place.rounded(.down)
      let t = place - floor
      let exact = [1 + t, t, 1 - t, 2 - t].map { Self.cubic($0, b: b, c: c) }
      var rounded = exact.map { Int32(($0 * Double(Self.one)).rounded(.toNearestOrEven)) }
      let nearest = t < 0.5 ? 1 : 2
      rounded[nearest] += Self.one - rounded.reduce(0, +)
      for k in 0..<4 {
        let position = min(max(floor + Double(k - 1), 0), Double(sourceLength - 1))
        positions.append(Int32(position))
      }
      weights += rounded
    }
    self.positions = positions
    self.weights = weights
  }

  /// Mitchell and Netravali 1988, equation 8, for 0 ≤ x ≤ 2.
  static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    let x2 = x * x
    let x3 = x2 * x
    if x < 1 { return ((12 - 9 * b - 6 * c) * x3 + (12 * b + 6 * c - 18) * x2 + (6 - 2 * b)) / 6 }
    if x < 2 {
      return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
    }
    return 0
  }
}

/// Scales a 16-bit image to an 8-bit one through two tables.
///
/// Along x: (Σ weight · sample + 2¹³) >> 14, kept with its overshoot; along y the same, then clamped to 0 ... 65535 and
/// divided by 257, rounded to nearest.
package struct Resampler: Sendable {
  package let horizontalTable: ResampleTable
  package let verticalTable: ResampleTable

  package init(horizontal: ResampleTable, vertical: ResampleTable) {
    horizontalTable = horizontal
    verticalTable = vertical
  }

  /// - Parameters:
  ///   - source: rows of `horizontalTable.sourceLength`.
  ///   - target: rows of `horizontalTable.targetLength`.
  ///   - rows: of the source.
  package func horizontal(
    _ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<Int32>, rows: Range<Int>
  ) {
    let width = horizontalTable.targetLength
    horizontalTable.positions.withUnsafeBufferPointer { positions in
      horizontalTable.weights.withUnsafeBufferPointer { weights in
        for y in rows {
          let row = source + y * horizontalTable.sourceLength
          let out = target + y * width
          for x in 0..<width {
            let k = 4 &* x
            let a = row[Int(positions[k])]
            let b = row[Int(positions[k &+ 1])]
            let c = row[Int(positions[k &+ 2])]
            let d = row[Int(positions[k &+ 3])]
            var sum = Int32(1 << 13) &+ Int32(a) &* weights[k]
            sum &+= Int32(b) &* weights[k &+ 1]
            sum &+= Int32(c) &* weights[k &+ 2]
            sum &+= Int32(d) &* weights[k &+ 3]
            out[x] = sum >> 14
          }
        }
      }
    }
  }

  /// - Parameters:
  ///   - source: as `horizontal` left it, complete.
  ///   - rows: of the target.
  package func vertical(
    _ source: UnsafePointer<Int32>, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    let width = horizontalTable.targetLength
    for y in rows {
      let a = source + Int(verticalTable.positions[4 * y]) * width
      let b = source + Int(verticalTable.positions[4 * y + 1]) * width
      let c = source + Int(verticalTable.positions[4 * y + 2]) * width
      let d = source + Int(verticalTable.positions[4 * y + 3]) * width
      let wa = verticalTable.weights[4 * y]
      let wb = verticalTable.weights[4 * y + 1]
      let wc = verticalTable.weights[4 * y + 2]
      let wd = verticalTable.weights[4 * y + 3]
      let out = target + y * width
      for x in 0..<width {
        let upper = a[x] &* wa &+ b[x] &* wb
        let lower = c[x] &* wc &+ d[x] &* wd
        let sum = (upper &+ lower &+ 1 << 13) >> 14
        let clamped = UInt32(truncatingIfNeeded: min(max(sum, 0), 65_535))
        // (v + 128) / 257 for 0 ≤ v ≤ 65535, as a multiplication: 255 · 257 = 65535.
        out[x] = UInt8(truncatingIfNeeded: (clamped &* 255 &+ 32_895) >> 16)
      }
    }
  }
}

extension Resampler {
  /// The formula, pixel by pixel, in 64 bits; what the kernels are tested against.
  package func reference(_ source: [UInt16]) -> [UInt8] {
    let h = horizontalTable
    let v = verticalTable
    var along = [Int64](repeating: 0, count: h.targetLength * v.sourceLength)
    for y in 0..<v.sourceLength {
      for x in 0..<h.targetLength {
        var sum: Int64 = 1 << 13
        for k in 4 * x..<4 * x + 4 {
          sum += Int64(source[y * h.sourceLength + Int(h.positions[k])]) * Int64(h.weights[k])
        }
        along[y * h.targetLength + x] = sum >> 14
      }
    }
    var result = [UInt8](repeating: 0, count: h.targetLength * v.targetLength)
    for y in 0..<v.targetLength {
      for x in 0..<h.targetLength {
        var sum: Int64 = 1 << 13
        for k in 4 * y..<4 * y + 4 {
          sum += along[Int(v.positions[k]) * h.targetLength + x] * Int64(v.weights[k])
        }
        result[y * h.targetLength + x] = UInt8((min(max(sum >> 14, 0), 65_535) + 128) / 257)
      }
    }
    return result
  }
}
