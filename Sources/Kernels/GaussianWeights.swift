import PortableMath

/// A Gaussian's weights in fixed point.
///
/// The matte's gamma makes faint values large (√0.00001 is almost 1/255), so the blur keeps 24 bits and reaches out to
/// 5 σ, beyond which less than 3·10⁻⁷ of the weight lies.
package struct GaussianWeights: Sendable {
  /// One, as a sample and as the sum of all weights.
  package static let one: UInt32 = 1 << 24

  /// Taps on each side of the middle one.
  package let radius: Int
  /// From the middle outwards; `half[0] + 2 * (half[1] + …)` is exactly `one`.
  package let half: [UInt32]

  /// - Parameter sigma: pixels, 0 to 64. At 0 the blur changes nothing.
  package init(sigma: Double) {
    precondition((0...64).contains(sigma))
    guard sigma > 0.01 else {
      radius = 0
      half = [Self.one]
      return
    }
    radius = Int((5 * sigma).rounded(.up))
    let exact = (0...radius).map { PortableMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = exact[0] + 2 * exact.dropFirst().reduce(0, +)
    var half = exact.map { UInt32(($0 / sum * Double(Self.one)).rounded(.toNearestOrEven)) }
    // What rounding took or added goes to the middle, where it matters least.
    half[0] = Self.one - 2 * half.dropFirst().reduce(0, +)
    self.half = half
  }

  /// What a step from 0 to one becomes, from `radius` places before it to the place before it has settled: 2 · `radius`
  /// sums of weights.
  var steps: [UInt32] {
    var sum: UInt32 = 0
    return (-radius..<radius).map {
      sum += half[abs($0)]
      return sum
    }
  }
}
