/// The masks of video-depth-maps in double precision, from the formulas (seed system C.11, C.12, C.14, C.15) and nothing of
/// the package.
struct PassReference {
  enum Kind: String, CaseIterable, Sendable {
    case highPass = "high-pass"
    case sharpHighPass = "sharp-high-pass"
    case bandPass = "band-pass"
  }

  var kind: Kind
  var focus = 0.75

  /// - Parameter disparity: 1/m; NaN for a hole.
  func mask(_ disparity: Double) -> Double {
    let d = disparity.isNaN ? 1 : min(max(disparity, 0), 1)
    func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
    switch kind {
    case .highPass: return clamped(4 * (d - focus + 0.3))
    case .sharpHighPass: return clamped(10 * (d - focus + 0.15))
    case .bandPass: return min(clamped(4 * (d - focus + 0.3)), clamped(-4 * (d - focus - 0.3)))
    }
  }

  /// Bicubic (B = 0, C = 0.75), edges repeated, the middles of mask and video coinciding.
  /// - Parameter scale: video pixels for a pixel of the mask.
  static func scaled(
    _ mask: [Double], _ maskWidth: Int, _ maskHeight: Int, width: Int, height: Int, scale: Double
  ) -> [Double] {
    func weight(_ x: Double) -> Double {
      let t = abs(x)
      if t < 1 { return 1.25 * t * t * t - 2.25 * t * t + 1 }
      return t < 2 ? -0.75 * (t - 1) * (t - 2) * (t - 2) : 0
    }
    func taps(_ i: Int, _ length: Int, _ videoLength: Int) -> [(place: Int, weight: Double)] {
      let center = (Double(i) + 0.5 - Double(videoLength) / 2) / scale + Double(length) / 2 - 0.5
      let first = Int(center.rounded(.down)) - 1
      return (first..<first + 4).map { (min(max($0, 0), length - 1), weight(center - Double($0))) }
    }
    let columns = (0..<width).map { taps($0, maskWidth, width) }
    var result: [Double] = []
    result.reserveCapacity(width * height)
    for y in 0..<height {
      let rows = taps(y, maskHeight, height)
      for column in columns {
        var sum = 0.0
        for row in rows {
          for tap in column { sum += row.weight * tap.weight * mask[row.place * maskWidth + tap.place] }
        }
        result.append(min(max(sum, 0), 1))
      }
    }
    return result
  }
}
