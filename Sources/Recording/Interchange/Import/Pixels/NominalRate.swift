import FrameModel
import Support

/// A stream's frame rate as its times show it.
struct NominalRate {
  private var gaps: [Int64] = []
  private var last: Int64?
  /// Nine hours at 30 fps: memory does not grow with the recording.
  private static let gapLimit = 1_000_000

  mutating func note(_ nanoseconds: Int64) {
    if let last, nanoseconds > last, gaps.count < Self.gapLimit { gaps.append(nanoseconds - last) }
    last = nanoseconds
  }

  /// What the median distance of neighbours makes: a whole number where it differs by no more than one in 2000, as clocks
  /// do and 30000/1001 does not; otherwise thousandths.
  /// - Parameter fallback: where there is no distance; 30 unless the source says something.
  func rate(fallback: FrameRate? = nil) throws(RetakeError) -> FrameRate {
    guard !gaps.isEmpty else {
      if let fallback { return fallback }
      return try FrameRate(30)
    }
    let median = gaps.sorted()[gaps.count / 2]
    let second: Int64 = 1_000_000_000
    let whole = min(1000, (second + median / 2) / median)
    // The median may be as long as a recording can be; the product then is not computed.
    if whole >= 1, abs(whole * median - second) <= second / 2000 { return try FrameRate(Int(whole)) }
    let thousandths = median > second * 1000 ? 1 : (second * 1000 + median / 2) / median
    return try FrameRate(Int(min(1_000_000, max(1, thousandths))), 1000)
  }
}
