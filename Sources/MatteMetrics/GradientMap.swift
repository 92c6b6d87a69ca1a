import PortableMath

/// How steep a matte is at each pixel: the length of its gradient, of derivatives of a Gaussian of σ 1.4 (Rhemann et al. 2009).
///
/// Floating point, in a fixed order and with functions that are the same everywhere, so the same bits on every machine.
package struct GradientMap {
  let lengths: [Double]

  /// 9 places: the Gaussian falls below 0.01 behind them.
  private static let radius = 4
  private static let sigma = 1.4
  /// The Gaussian and its derivative at −4 … 4, scaled so that the squares of the kernel's 81 values sum up to 1.
  private static let kernels: (smooth: [Double], slope: [Double]) = {
    let smooth = (-radius...radius).map { x in
      PortableMath.exp(-Double(x * x) / (2 * sigma * sigma)) / (sigma * (2 * PortableMath.pi).squareRoot())
    }
    let slope = zip(-radius...radius, smooth).map { -Double($0) * $1 / (sigma * sigma) }
    func squares(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }
    let norm = (squares(smooth) * squares(slope)).squareRoot()
    return (smooth, slope.map { $0 / norm })
  }()

  package init(_ matte: BytePlane) {
    let (width, height) = (matte.width, matte.height)
    guard width > 0, height > 0 else {
      lengths = []
      return
    }
    let kernels = Self.kernels
    let taps = 2 * Self.radius + 1
    var smoothRows = [Double](repeating: 0, count: width * height)
    var slopeRows = smoothRows
    // A row with its ends repeated: nothing outside of the picture is an edge.
    var row = [Double](repeating: 0, count: width + 2 * Self.radius)
    for y in 0..<height {
      for i in row.indices {
        let x = min(max(i - Self.radius, 0), width - 1)
        row[i] = Double(matte.samples[y * width + x]) / 255
      }
      for x in 0..<width {
        var (smooth, slope) = (0.0, 0.0)
        for k in 0..<taps {
          // A convolution turns the kernel round.
          smooth += kernels.smooth[taps - 1 - k] * row[x + k]
          slope += kernels.slope[taps - 1 - k] * row[x + k]
        }
        smoothRows[y * width + x] = smooth
        slopeRows[y * width + x] = slope
      }
    }
    var lengths = [Double](repeating: 0, count: width * height)
    for y in 0..<height {
      let rows = (0..<taps).map { min(max(y + $0 - Self.radius, 0), height - 1) * width }
      for x in 0..<width {
        var (along, down) = (0.0, 0.0)
        for k in 0..<taps {
          along += kernels.smooth[taps - 1 - k] * slopeRows[rows[k] + x]
          down += kernels.slope[taps - 1 - k] * smoothRows[rows[k] + x]
        }
        lengths[y * width + x] = (along * along + down * down).squareRoot()
      }
    }
    self.lengths = lengths
  }

  /// Σ(‖∇α‖ − ‖∇α*‖)².
  package func error(_ truth: GradientMap) -> Double {
    precondition(lengths.count == truth.lengths.count)
    var sum = 0.0
    for i in lengths.indices { sum += (lengths[i] - truth.lengths[i]) * (lengths[i] - truth.lengths[i]) }
    return sum
  }
}
