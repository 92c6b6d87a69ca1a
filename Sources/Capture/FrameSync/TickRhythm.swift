/// The usual interval between a stream's timestamps. Transfer delays do not change it, so a
/// timestamp that keeps it is right whenever its frame arrives.
struct TickRhythm: Sendable {
  struct Step {
    /// Within 1 ms, or an eighth of the interval if less, of a whole number of intervals.
    var isWhole: Bool
    var isOne: Bool
    /// Distance to the next whole number of intervals: how far a clock was set back, if it was.
    var shortfallNanoseconds: Int64
  }

  private static let memoryCount = 8
  /// Intervals needed before a usual interval is known.
  private static let leastCount = 4
  private static let toleranceNanoseconds: Int64 = 1_000_000
  private static let longestNanoseconds: Int64 = 1 << 60

  private var intervals: [Int64] = []
  private var place = 0

  mutating func note(_ interval: Int64) {
    guard (1..<Self.longestNanoseconds).contains(interval) else { return }
    guard intervals.count == Self.memoryCount else { return intervals.append(interval) }
    intervals[place] = interval
    place = (place + 1) % Self.memoryCount
  }

  /// Nil until the usual interval is known, and for an interval that is not positive.
  func step(_ interval: Int64) -> Step? {
    guard intervals.count >= Self.leastCount, (1..<Self.longestNanoseconds).contains(interval) else { return nil }
    // The lower median, since missing frames only make intervals longer.
    let usual = intervals.sorted()[(intervals.count - 1) / 2]
    let tolerance = min(Self.toleranceNanoseconds, usual / 8)
    let count = max(1, (interval + usual / 2) / usual)
    let whole = (interval + usual - 1) / usual * usual
    let isWhole = (interval - count * usual).magnitude <= UInt64(tolerance)
    return Step(isWhole: isWhole, isOne: isWhole && count == 1, shortfallNanoseconds: whole - interval)
  }
}
