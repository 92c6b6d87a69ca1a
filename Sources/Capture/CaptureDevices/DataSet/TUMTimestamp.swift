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
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 7)
    guard number(parts[1], digits: 1...18) != nil, let tenths = number((parts[1] + zeros).prefix(7), digits: 7...7)
    else { return nil }
    return Int64(seconds) * 1_000_000 + Int64((tenths + 5) / 10)
  }

  private static func number(_ digits: some Collection<UInt8>, digits count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
