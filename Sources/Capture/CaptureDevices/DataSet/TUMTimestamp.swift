/// A data set's timestamp: decimal seconds as text, exact to the microsecond.
package enum TUMTimestamp {
  /// Up to the year 2255, so that sums of nanoseconds do not overflow.
  private static let largestSeconds = 9_000_000_000

  /// Digits beyond the sixth decimal place are rounded half up.
  /// - Returns: nil unless the text is a decimal number from 0 to 9·10⁹.
  package static func microseconds(_ text: some StringProtocol) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = number(parts[0], digits: 1...10), seconds <= largestSeconds else { return nil }
    guard parts.count == 2 else { return Int64(seconds) * 1_000_000 }
    guard let fraction = number(parts[1], digits: 1...18) else { return nil }
    var scaled = fraction
    var places = parts[1].count
    while places < 7 {
      scaled *= 10
      places += 1
    }
    while places > 7 {
      scaled /= 10
      places -= 1
    }
    return Int64(seconds) * 1_000_000 + Int64((scaled + 5) / 10)
  }

  private static func number(_ digits: some Collection<UInt8>, digits count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
