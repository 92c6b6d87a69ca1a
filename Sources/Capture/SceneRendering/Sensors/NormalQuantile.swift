import Support

/// The value below which a share of normally distributed numbers (σ = 1) lies, by a logistic curve
/// that is within 0.01 of the distribution.
struct NormalQuantile: Sendable {
  private let table: [Float]
  private static let count = 512

  init() {
    table = (0...Self.count).map { i in
      let share = (Double(i) / Double(Self.count)).clamped(0.000_5, 0.999_5)
      return Float(PortableMath.log2(share / (1 - share)) * 0.693_147_180_559_945_3 / 1.702)
    }
  }

  /// - Parameter share: 0 or less gives a value below all numbers.
  func callAsFunction(_ share: Float) -> Float {
    guard share > 0 else { return -100 }
    let at = min(share, 1) * Float(Self.count)
    let i = min(Int(at), Self.count - 1)
    return table[i].mixed(with: table[i + 1], at - Float(i))
  }
}
