/// A Gaussian's weights as taps of 16 bits, of which a processor multiplies many at once.
///
/// Inner taps have 15 to 18 fractional bits and meet all 24 bits of a sample; outer taps, of which all together weigh less
/// than 1/128, have 24 and meet a sample's upper 13. So faint samples, far away, count as exactly as strong ones: a blurred
/// value v is within 2⁻²² + v/256 of the Gaussian's, and within 2⁻¹⁵ anywhere.
package struct ColumnWeights: Sendable {
  /// From the middle outwards. The middle one, which is met from both sides, is halved; one or two of zero may follow the
  /// last.
  package let taps: [Int16]
  /// How many of them are inner ones. Even, as is the number of all.
  package let innerCount: Int
  /// Fractional bits of the inner taps.
  package let innerBits: Int

  /// - Parameter exact: the weights from the middle outwards; with both sides they add up to one.
  init(_ exact: [Double]) {
    var exact = exact
    exact[0] /= 2
    var tail = 0.0
    var innerCount = exact.count
    while innerCount > 2, tail + exact[innerCount - 1] <= 1.0 / 256, exact[innerCount - 1] * 0x1p24 <= 32_766 {
      innerCount -= 1
      tail += exact[innerCount]
    }
    innerCount += innerCount % 2
    let largest = exact.max() ?? 0
    var innerBits = 18
    while largest * Double(1 << innerBits) > 32_766 { innerBits -= 1 }

    exact += [Double](repeating: 0, count: max(innerCount, exact.count + exact.count % 2) - exact.count)
    let outer = Self.rounded(exact[innerCount...], bits: 24)
    var inner = Self.rounded(exact[1..<innerCount], bits: innerBits)
    // The middle takes what is left of one. Rounded down, so that no value ever exceeds one.
    let outerSum = outer.reduce(0) { $0 + Int($1) }
    let left = (1 << 24 - 2 * outerSum) >> (24 - innerBits) / 2 - inner.reduce(0) { $0 + Int($1) }
    inner.insert(Int16(left), at: 0)
    taps = inner + outer
    self.innerCount = innerCount
    self.innerBits = innerBits
  }

  /// Rounded so that sums from the outside inwards, which are the answers to a straight edge, are the nearest.
  private static func rounded(_ exact: ArraySlice<Double>, bits: Int) -> [Int16] {
    var sum = 0.0
    var roundedSum = 0
    return Array(
      exact.reversed().map { weight in
        sum += weight
        let before = roundedSum
        roundedSum = Int((sum * Double(1 << bits)).rounded(.toNearestOrEven))
        return Int16(roundedSum - before)
      }.reversed())
  }
}
