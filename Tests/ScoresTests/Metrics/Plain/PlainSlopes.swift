import Support

/// The gradient's length at each pixel, of derivatives of a Gaussian of σ 1.4 that is cut off behind 4 places.
struct PlainSlopes {
  private var lengths: [Float] = []
  private let width: Int

  private static let sigma = 1.4
  /// With 15 fractional bits.
  private static let smooth = gaussian.map { Int(($0 * 32768).rounded()) }
  /// With 16.
  private static let slope = gaussian.enumerated().map {
    Int((Double($0.offset) * $0.element / (sigma * sigma) * 65536).rounded())
  }
  private static let gaussian = (0...4).map {
    PortableMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) / (sigma * (2 * PortableMath.pi).squareRoot())
  }
  /// The square root of what the squares of the kernel's 81 values sum up to.
  private static let norm: Double = {
    func squares(_ half: [Int], _ one: Double) -> Double {
      let shares = half.map { Double($0) / one }
      return shares.dropFirst().reduce(shares[0] * shares[0]) { $0 + 2 * $1 * $1 }
    }
    return (squares(smooth, 32768) * squares(slope, 65536)).squareRoot()
  }()

  init(_ matte: PlainPlane) {
    let (width, height) = (matte.width, matte.height)
    self.width = width
    let (smooth, slope) = (Self.smooth, Self.slope)
    var smoothRows = [Int](repeating: 0, count: width * height)
    var slopeRows = smoothRows
    for y in 0..<height {
      for x in 0..<width {
        var (sum, steps) = (smooth[0] * matte.sample(nearX: x, y: y), 0)
        for k in 1...4 {
          let (left, right) = (matte.sample(nearX: x - k, y: y), matte.sample(nearX: x + k, y: y))
          sum += smooth[k] * (right + left)
          steps += slope[k] * (right - left)
        }
        // 7 and 8 fractional bits, rounded.
        smoothRows[y * width + x] = (sum + 128) >> 8
        slopeRows[y * width + x] = (steps + 128) >> 8
      }
    }
    func row(_ y: Int) -> Int { min(max(y, 0), height - 1) * width }
    for y in 0..<height {
      for x in 0..<width {
        var (along, down) = (smooth[0] * slopeRows[y * width + x], 0)
        for k in 1...4 {
          along += smooth[k] * (slopeRows[row(y + k) + x] + slopeRows[row(y - k) + x])
          down += slope[k] * (smoothRows[row(y + k) + x] - smoothRows[row(y - k) + x])
        }
        let (a, b) = (Float(along), Float(down))
        lengths.append((a * a + b * b).squareRoot())
      }
    }
  }

  /// Σ(‖∇α‖ − ‖∇α*‖)², summed up for every fourth column by itself.
  func error(_ truth: PlainSlopes) -> Double {
    var sums = [0.0, 0, 0, 0]
    for i in lengths.indices {
      let difference = lengths[i] - truth.lengths[i]
      sums[i % width % 4] += Double(difference * difference)
    }
    // The rows have 8 fractional bits, the weights 15.
    let unit = 1 / (255 * Double(1 << 23) * Self.norm)
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) * unit * unit
  }
}
