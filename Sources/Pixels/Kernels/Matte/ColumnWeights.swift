/// A Gaussian's weights as taps of 16 bits, of which a processor multiplies many at once.
///
/// An inner tap is the sum of one with 15 to 18 fractional bits, which meets all 24 bits of a sample, and of a rest with 24,
/// which meets a sample's upper 13. Outer taps, of which all together weigh less than 1/128, have 24 fractional bits and
/// meet a sample's upper 13 only. So a blurred value v is within 2⁻²² + v/256 of the Gaussian's, and within 2⁻²⁰ anywhere.
package struct ColumnWeights: Sendable {
  /// From the middle outwards. The middle one, which is met from both sides, is halved; one or two of zero may follow the
  /// last.
  package let taps: [Int16]
  /// Of the inner taps.
  package let rests: [Int16]
  /// Fractional bits of the inner taps.
  package let innerBits: Int

  /// How many taps are inner ones. Even, as is the number of all.
  package var innerCount: Int { rests.count }

  /// - Parameter half: the weights from the middle outwards; with both sides they add up to `GaussianWeights.one`.
  init(half: [UInt32]) {
    var weights = half.map { Int($0) }
    // Of an odd one 2⁻²⁴ is lost, so that no blurred value exceeds one.
    weights[0] /= 2
    var innerCount = weights.count
    var tail = 0
    while innerCount > 2, tail + weights[innerCount - 1] <= 1 << 16, weights[innerCount - 1] <= Int(Int16.max) {
      innerCount -= 1
      tail += weights[innerCount]
    }
    innerCount += innerCount % 2
    weights += [Int](repeating: 0, count: max(innerCount, weights.count + weights.count % 2) - weights.count)

    func rounded(_ weight: Int, _ bits: Int) -> Int { (weight + 1 << (23 - bits)) >> (24 - bits) }
    let largest = weights.reduce(0, max)
    var innerBits = 18
    while rounded(largest, innerBits) > Int(Int16.max) { innerBits -= 1 }
    let inner = weights[..<innerCount].map { rounded($0, innerBits) }
    taps = (inner + weights[innerCount...]).map { Int16($0) }
    rests = zip(weights, inner).map { Int16($0 - $1 << (24 - innerBits)) }
    self.innerBits = innerBits
  }
}
