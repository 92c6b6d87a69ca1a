import FrameModel

/// A histogram of durations for percentiles in bounded memory. Bins are 1 µs wide up to 512 µs and
/// at most 0.4 % wide beyond, up to 19 hours.
package struct DurationHistogram: Sendable {
  private static let stepBits = 8
  private static let largest: Int64 = 1 << 36
  private var counts: [UInt32] = []
  private var total = 0

  package init() {}

  package mutating func add(nanoseconds: Int64) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.bin(Self.largest) + 1) }
    let bin = Self.bin(min(Self.largest, max(0, nanoseconds) / 1000))
    guard counts[bin] < .max else { return }
    counts[bin] += 1
    total += 1
  }

  package var spread: ClockFacts.Spread? {
    guard total > 0 else { return nil }
    return ClockFacts.Spread(
      medianNanoseconds: percentile(50), ninetyNinthNanoseconds: percentile(99))
  }

  private func percentile(_ percent: Int) -> Int64 {
    var left = max(1, (total * percent + 99) / 100)
    for (bin, count) in counts.enumerated() where count > 0 {
      left -= Int(count)
      if left <= 0 { return Self.middleNanoseconds(bin) }
    }
    return 0
  }

  /// Below 2⁹ µs the value itself; above, 2⁸ bins per octave.
  private static func bin(_ microseconds: Int64) -> Int {
    let octave = max(0, 63 - microseconds.leadingZeroBitCount - stepBits)
    return octave << stepBits + Int(microseconds >> Int64(octave))
  }

  private static func middleNanoseconds(_ bin: Int) -> Int64 {
    let octave = max(0, bin >> stepBits - 1)
    let start = Int64(bin - octave << stepBits) << Int64(octave)
    return (start * 1000) + (Int64(1000) << Int64(octave)) / 2
  }
}
