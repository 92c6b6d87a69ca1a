import Support

/// A Gaussian's weights in fixed point.
///
/// The matte's gamma enlarges faint values (√0.00001 is almost 1/255). The blur therefore keeps
/// 24 bits and reaches to 5 σ, beyond which less than 3·10⁻⁷ of the weight lies on each side.
package struct GaussianWeights: Sendable {
  /// One, as a sample and as the sum of all weights.
  package static let one: UInt32 = 1 << 24

  package let radius: Int
  /// From the middle outwards; `half[0] + 2 * (half[1] + …)` is exactly `one`.
  package let half: [UInt32]
  /// The same weights for the pass along columns.
  package let columns: ColumnWeights

  /// - Parameter sigma: pixels, 0 to 64. At 0 the blur changes nothing.
  package init(sigma: Double) {
    precondition((0...64).contains(sigma))
    radius = sigma > 0.01 ? Int((5 * sigma).rounded(.up)) : 0
    let values = radius == 0 ? [1] : (0...radius).map { PortableMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
    let exact = values.map { $0 / sum }
    var half = exact.map { UInt32(($0 * Double(Self.one)).rounded(.toNearestOrEven)) }
    // The middle weight takes up the rounding error, where it matters least.
    half[0] = Self.one - 2 * half.dropFirst().reduce(0, +)
    self.half = half
    columns = ColumnWeights(half: half)
  }

  /// The blur's response to a step from 0 to one: 2 · `radius` running sums of weights.
  var steps: [UInt32] {
    var sum: UInt32 = 0
    return (-radius..<radius).map {
      sum += half[abs($0)]
      return sum
    }
  }
}
