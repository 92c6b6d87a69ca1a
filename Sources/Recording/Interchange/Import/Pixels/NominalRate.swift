import FrameModel
import Support

/// Estimates a stream's frame rate from its times.
struct NominalRate {
  private var gaps: [Int64] = []
  private var last: Int64?
  /// Nine hours at 30 fps. Bounds memory.
  private static let gapLimit = 1_000_000

  mutating func note(_ nanoseconds: Int64) {
    if let last, nanoseconds > last, gaps.count < Self.gapLimit { gaps.append(nanoseconds - last) }
    last = nanoseconds
  }

  /// The rate of the median interval. It is rounded to a whole number if within 1 in 2000 of one,
  /// which covers clock drift but not 30000/1001; otherwise it is in thousandths.
  /// - Parameter fallback: the rate if there are no intervals; nil for 30.
  func rate(fallback: FrameRate? = nil) throws(RetakeError) -> FrameRate {
    guard !gaps.isEmpty else {
      if let fallback { return fallback }
      return try FrameRate(30)
    }
    let median = gaps.sorted()[gaps.count / 2]
    let second: Int64 = 1_000_000_000
    let whole = min(1000, (second + median / 2) / median)
    if whole >= 1, abs(whole * median - second) <= second / 2000 { return try FrameRate(Int(whole)) }
    let thousandths = median > second * 1000 ? 1 : (second * 1000 + median / 2) / median
    return try FrameRate(Int(min(1_000_000, max(1, thousandths))), 1000)
  }
}
