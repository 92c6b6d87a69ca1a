import PortableMath

/// A Gaussian's weights in fixed point.
///
/// The matte's gamma makes faint values large (√0.00001 is almost 1/255), so the blur keeps 24 bits and reaches out to
/// 5 σ, beyond which less than 3·10⁻⁷ of the weight lies.
package struct GaussianWeights: Sendable {
  /// One, as a sample and as the sum of all weights.
  package static let one: UInt32 = 1 << 24

  /// Taps on each side of the middle one.
  package let radius: Int
  /// From the middle outwards; `half[0] + 2 * (half[1] + …)` is exactly `one`.
  package let half: [UInt32]

  /// - Parameter sigma: pixels, 0 to 64. At 0 the blur changes nothing.
  package init(sigma: Double) {
    precondition((0...64).contains(sigma))
    guard sigma > 0.01 else {
      radius = 0
      half = [Self.one]
      return
    }
    radius = Int((5 * sigma).rounded(.up))
    let exact = (0...radius).map { PortableMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = exact[0] + 2 * exact.dropFirst().reduce(0, +)
    var half = exact.map { UInt32(($0 / sum * Double(Self.one)).rounded(.toNearestOrEven)) }
    // What rounding took or added goes to the middle, where it matters least.
    half[0] = Self.one - 2 * half.dropFirst().reduce(0, +)
    self.half = half
  }
}

/// A separable Gaussian blur of an 8-bit image with its edges replicated, in fixed point with 24 fractional bits.
///
/// Both passes compute (Σ weight · sample + 2²³) >> 24 in 64 bits. Where a neighbourhood is all one value, that value is
/// the result, exactly, since the weights add up to one: most of a mask is so, and is copied.
package struct GaussianBlur: Sendable {
  package let weights: GaussianWeights
  package let width: Int
  package let height: Int
  /// Columns that are tested for being flat, and computed, together.
  private static let blockWidth = 16

  /// - Parameter sigma: pixels, 0 to 64.
  package init(sigma: Double, width: Int, height: Int) {
    weights = GaussianWeights(sigma: sigma)
    self.width = width
    self.height = height
  }

  /// Samples that `horizontal` needs for itself for each row in flight.
  package var scratchLength: Int { width + 2 * weights.radius }

  /// 0 ... 255 to 0 ... 2²⁴, rounded to nearest.
  @inline(__always)
  static func expand(_ value: UInt8) -> UInt32 { (UInt32(value) &* (1 << 24) &+ 127) / 255 }

  /// Blurs rows along x, and expands their samples to 24 bits.
  package func horizontal(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt32>, rows: Range<Int>
  ) {
    let radius = weights.radius
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: scratchLength) { padded in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: scratchLength) { changes in
        for y in rows {
          let row = source + y * width
          let out = target + y * width
          let line = padded.baseAddress!
          for i in 0..<radius { line[i] = Self.expand(row[0]) }
          for x in 0..<width { line[radius + x] = Self.expand(row[x]) }
          for i in 0..<radius { line[radius + width + i] = Self.expand(row[width - 1]) }
          // How many times the line changed its value up to each place: equal counts at both ends mean it is flat.
          changes[0] = 0
          for i in 1..<max(1, padded.count) {
            changes[i] = changes[i - 1] + (line[i] != line[i - 1] ? 1 : 0)
          }
          var x = 0
          while x < width {
            let end = min(x + Self.blockWidth, width)
            if changes[x] == changes[end - 1 + 2 * radius] {
              (out + x).update(repeating: line[x], count: end - x)
            } else {
              Self.weigh(line + x, stride: 1, weights, to: out + x, count: end - x)
            }
            x = end
          }
        }
      }
    }
  }

  /// Blurs rows along y. `source` must be complete from `rows.lowerBound - radius` to `rows.upperBound + radius`.
  package func vertical(
    _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>, rows: Range<Int>
  ) {
    guard !rows.isEmpty else { return }
    let radius = weights.radius
    let blocks = (width + Self.blockWidth - 1) / Self.blockWidth
    // Rows from first on are looked at, those outside the image being its edges.
    let first = rows.lowerBound - radius
    let lineCount = rows.count + 2 * radius
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt32>.self, capacity: lineCount) { lines in
      for i in 0..<lineCount {
        lines.initializeElement(at: i, to: source + min(max(first + i, 0), height - 1) * width)
      }
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: lineCount) { changes in
        for block in 0..<blocks {
          let x = block * Self.blockWidth
          let count = min(Self.blockWidth, width - x)
          // Counts rows in which this block is not flat or differs from the row above it.
          changes[0] = 0
          for i in 1..<max(1, lineCount) {
            let goesOn = lines[i][x] == lines[i - 1][x] && Self.isFlat(lines[i] + x, count)
            changes[i] = changes[i - 1] + (goesOn ? 0 : 1)
          }
          for y in rows {
            let i = y - rows.lowerBound
            let out = target + y * width + x
            if changes[i] == changes[i + 2 * radius] && Self.isFlat(lines[i] + x, count) {
              out.update(repeating: lines[i][x], count: count)
            } else {
              Self.weigh(lines.baseAddress! + i, column: x, weights, to: out, count: count)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func isFlat(_ samples: UnsafePointer<UInt32>, _ count: Int) -> Bool {
    var difference: UInt32 = 0
    for i in 1..<max(1, count) { difference |= samples[i] ^ samples[0] }
    return difference == 0
  }

  /// Along a line: output i is the weighted sum of `line[i] ... line[i + 2 * radius]`.
  @inline(__always)
  private static func weigh(
    _ line: UnsafePointer<UInt32>, stride: Int, _ weights: GaussianWeights,
    to out: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    let radius = weights.radius
    weights.half.withUnsafeBufferPointer { half in
      var i = 0
      while i + 8 <= count {
        let middle = line + i + radius
        var sum = SIMD8<UInt64>(repeating: 1 << 23) &+ widen(middle) &* UInt64(half[0])
        for k in 1..<max(1, radius + 1) {
          sum &+= (widen(middle - k) &+ widen(middle + k)) &* SIMD8(repeating: UInt64(half[k]))
        }
        store(sum, to: out + i)
        i += 8
      }
      while i < count {
        let middle = line + i + radius
        var sum = 1 << 23 &+ UInt64(middle[0]) &* UInt64(half[0])
        for k in 1..<max(1, radius + 1) {
          sum &+= (UInt64(middle[-k]) &+ UInt64(middle[k])) &* UInt64(half[k])
        }
        out[i] = UInt32(truncatingIfNeeded: sum >> 24)
        i += 1
      }
    }
  }

  /// Across lines: output i is the weighted sum of `lines[0 ... 2 * radius][column + i]`.
  @inline(__always)
  private static func weigh(
    _ lines: UnsafePointer<UnsafePointer<UInt32>>, column: Int, _ weights: GaussianWeights,
    to out: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    let radius = weights.radius
    weights.half.withUnsafeBufferPointer { half in
      var i = 0
      while i + 8 <= count {
        let x = column + i
        var sum = SIMD8<UInt64>(repeating: 1 << 23) &+ widen(lines[radius] + x) &* UInt64(half[0])
        for k in 1..<max(1, radius + 1) {
          sum &+=
            (widen(lines[radius - k] + x) &+ widen(lines[radius + k] + x))
            &* SIMD8(repeating: UInt64(half[k]))
        }
        store(sum, to: out + i)
        i += 8
      }
      while i < count {
        let x = column + i
        var sum = 1 << 23 &+ UInt64(lines[radius][x]) &* UInt64(half[0])
        for k in 1..<max(1, radius + 1) {
          sum &+= (UInt64(lines[radius - k][x]) &+ UInt64(lines[radius + k][x])) &* UInt64(half[k])
        }
        out[i] = UInt32(truncatingIfNeeded: sum >> 24)
        i += 1
      }
    }
  }

  @inline(__always)
  private static func widen(_ samples: UnsafePointer<UInt32>) -> SIMD8<UInt64> {
    SIMD8<UInt64>(
      truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<UInt32>.self))
  }

  @inline(__always)
  private static func store(_ sum: SIMD8<UInt64>, to out: UnsafeMutablePointer<UInt32>) {
    let result = SIMD8<UInt32>(truncatingIfNeeded: sum &>> 24)
    UnsafeMutableRawPointer(out).storeBytes(of: result, as: SIMD8<UInt32>.self)
  }
}

extension GaussianBlur {
  /// The formula, pixel by pixel, with no short cut; what the kernels are tested against.
  package func reference(_ source: [UInt8]) -> [UInt32] {
    let radius = weights.radius
    func pass(_ sample: (Int) -> UInt32, _ position: Int, _ length: Int) -> UInt32 {
      var sum: UInt64 = 1 << 23
      for k in -radius...radius {
        let clamped = min(max(position + k, 0), length - 1)
        sum += UInt64(sample(clamped)) * UInt64(weights.half[abs(k)])
      }
      return UInt32(sum >> 24)
    }
    var along = [UInt32](repeating: 0, count: source.count)
    for y in 0..<height {
      for x in 0..<width { along[y * width + x] = pass({ Self.expand(source[y * width + $0]) }, x, width) }
    }
    var result = along
    for y in 0..<height {
      for x in 0..<width { result[y * width + x] = pass({ along[$0 * width + x] }, y, height) }
    }
    return result
  }
}
