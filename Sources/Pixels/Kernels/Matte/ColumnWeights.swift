/// A Gaussian's weights as 16-bit taps, for SIMD multiplication.
///
/// An inner tap has two parts. One with 15 to 18 fractional bits multiplies all 24 bits of a
/// sample; a rest with 24 multiplies the upper 13 bits. Outer taps weigh less than 1/128 together.
/// They have 24 fractional bits and multiply the upper 13 bits only. A blurred value v is within
/// 2⁻²² + v/256 of the exact Gaussian, and within 2⁻²⁰ anywhere.
package struct ColumnWeights: Sendable {
  /// From the middle outwards. The middle one is halved, since it is applied from both sides. One
  /// or two zeros may follow the last.
  package let taps: [Int16]
  /// Remainders of the inner taps, with 24 fractional bits.
  package let rests: [Int16]
  /// Fractional bits of the inner taps.
  package let innerBits: Int

  /// Even, as is the number of all taps.
  package var innerCount: Int { rests.count }

  /// - Parameter half: from the middle outwards. Both sides add up to `GaussianWeights.one`.
  init(half: [UInt32]) {
    var weights = half.map { Int($0) }
    // Halving an odd weight loses 2⁻²⁴, so that no blurred value exceeds one.
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
