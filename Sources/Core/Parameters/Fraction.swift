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

  package var description: String { "\(numerator)/\(denominator)" }
}
