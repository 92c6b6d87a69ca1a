/// A fraction with 0 < numerator / denominator ≤ 1, in lowest terms.
package struct Fraction: Hashable, Sendable, CustomStringConvertible {
  package let numerator: Int
  package let denominator: Int

  package static let one = Fraction(1, 1)!
  private static let largest = 1_000_000

  /// Nil unless 1 ≤ numerator ≤ denominator ≤ 1,000,000.
  package init?(_ numerator: Int, _ denominator: Int) {
    guard numerator >= 1, denominator >= numerator, denominator <= Self.largest else { return nil }
    var (a, b) = (denominator, numerator)
    while b != 0 { (a, b) = (b, a % b) }
    (self.numerator, self.denominator) = (numerator / a, denominator / a)
  }

  /// "p/q", or "1".
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    switch parts.count {
    case 1: self.init(parts[0] ?? 0, 1)
    case 2: self.init(parts[0] ?? 0, parts[1] ?? 0)
    default: return nil
    }
  }

  /// The fraction that was probably meant by a decimal: 1/3 for 0.33. The first that is within 0.005 of it with a
  /// denominator of 2 to 12, or that is equal to it with one of up to 1000; nil if there is none.
  init?(near decimal: Double) {
    guard decimal > 0, decimal <= 1 else { return nil }
    let near = (1...1000).lazy.compactMap { denominator -> Fraction? in
      let numerator = (decimal * Double(denominator)).rounded()
      let tolerance = (2...12).contains(denominator) ? 0.005 : 1e-9
      guard abs(numerator / Double(denominator) - decimal) < tolerance else { return nil }
      return Fraction(Int(numerator), denominator)
    }
    guard let first = near.first(where: { $0.denominator > 1 || decimal == 1 }) else { return nil }
    self = first
  }

  package var description: String { "\(numerator)/\(denominator)" }
}
