import Support

/// The gradient's length at each pixel, of derivatives of a Gaussian of σ 1.4 that is cut off behind 4 places.
struct PlainSlopes {
  private var lengths: [Double] = []
  private let width: Int

  private static let sigma = 1.4
  private static let smooth = (0...4).map {
    PortableMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) / (sigma * (2 * PortableMath.pi).squareRoot())
  }
  private static let slope = smooth.enumerated().map { Double($0.offset) * $0.element / (sigma * sigma) }
  /// The square root of what the squares of the kernel's 81 values sum up to.
  private static let norm: Double = {
    func squares(_ half: [Double]) -> Double { half.dropFirst().reduce(0) { $0 + 2 * $1 * $1 } + half[0] * half[0] }
    return (squares(smooth) * squares(slope)).squareRoot()
  }()

  init(_ matte: PlainPlane) {
    let (width, height) = (matte.width, matte.height)
    self.width = width
    let (smooth, slope) = (Self.smooth.map { $0 * (1 / 255.0) }, Self.slope.map { $0 * (1 / (255 * Self.norm)) })
    // Pixels on both sides are taken together, the nearest first: of what is level, the slope is 0 exactly.
    var smoothRows = [Double](repeating: 0, count: width * height)
    var slopeRows = smoothRows
    for y in 0..<height {
      for x in 0..<width {
        var (sum, steps) = (smooth[0] * Double(matte.sample(nearX: x, y: y)), 0.0)
        for k in 1...4 {
          let (left, right) = (matte.sample(nearX: x - k, y: y), matte.sample(nearX: x + k, y: y))
          sum += smooth[k] * Double(right + left)
          steps += slope[k] * Double(right - left)
        }
        smoothRows[y * width + x] = sum
        slopeRows[y * width + x] = steps
      }
    }
    let (smoothDown, slopeDown) = (Self.smooth, Self.slope.map { $0 * (1 / Self.norm) })
    func row(_ y: Int) -> Int { min(max(y, 0), height - 1) * width }
    for y in 0..<height {
      for x in 0..<width {
        var (along, down) = (smoothDown[0] * slopeRows[y * width + x], 0.0)
        for k in 1...4 {
          along += smoothDown[k] * (slopeRows[row(y + k) + x] + slopeRows[row(y - k) + x])
          down += slopeDown[k] * (smoothRows[row(y + k) + x] - smoothRows[row(y - k) + x])
        }
        lengths.append((along * along + down * down).squareRoot())
      }
    }
  }

  /// Σ(‖∇α‖ − ‖∇α*‖)², summed up for every fourth column by itself.
  func error(_ truth: PlainSlopes) -> Double {
    var sums = [0.0, 0, 0, 0]
    for i in lengths.indices {
      let difference = lengths[i] - truth.lengths[i]
      sums[i % width % 4] += difference * difference
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3])
  }
}
