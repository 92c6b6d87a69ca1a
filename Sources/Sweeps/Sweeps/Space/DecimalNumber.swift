/// An exact decimal number: steps of 0.1 from 0.1 give 0.3, which sums of doubles do not.
package struct DecimalNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The value is `units` / 10^`places`.
  private(set) var units: Int
  private(set) var places: Int

  static let largestPlaces = 9
  private static let largestUnits = 1_000_000_000_000_000

  /// Takes at most nine places and fifteen digits, also '.5'; nil for anything else, such as 1e5 and inf.
  package init?(_ text: String) {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.last?.isEmpty == false else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard (parts[0] + fraction).utf8.allSatisfy({ (48...57).contains($0) }), fraction.count <= Self.largestPlaces,
      let units = Int(parts[0] + fraction), units <= Self.largestUnits
    else { return nil }
    (self.units, places) = (isNegative ? -units : units, fraction.count)
  }

  private init(units: Int, places: Int) { (self.units, self.places) = (units, places) }

  package var description: String {
    var (units, places) = (units, places)
    while places > 0 && units % 10 == 0 { (units, places) = (units / 10, places - 1) }
    guard places > 0 else { return "\(units)" }
    let digits = "\(units.magnitude)"
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (units < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }

  var isPositive: Bool { units > 0 }

  package static func < (a: DecimalNumber, b: DecimalNumber) -> Bool {
    let places = max(a.places, b.places)
    return a.scaled(places) < b.scaled(places)
  }

  package static func == (a: DecimalNumber, b: DecimalNumber) -> Bool { !(a < b) && !(b < a) }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }

  /// Nil on overflow.
  static func + (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber? {
    let places = max(a.places, b.places)
    let sum = a.scaled(places) + b.scaled(places)
    return checked(sum, places)
  }

  /// Nil on overflow; places beyond the ninth are rounded.
  static func * (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber? {
    var product = Int128(a.units) * Int128(b.units)
    var places = a.places + b.places
    while places > largestPlaces {
      product = (product + (product < 0 ? -5 : 5)) / 10
      places -= 1
    }
    return checked(product, places)
  }

  private func scaled(_ wanted: Int) -> Int128 {
    var result = Int128(units)
    for _ in places..<max(places, wanted) { result *= 10 }
    return result
  }

  private static func checked(_ units: Int128, _ places: Int) -> DecimalNumber? {
    guard units.magnitude <= Int128(largestUnits).magnitude * 1_000_000 else { return nil }
    var (units, places) = (units, places)
    while places > 0 && units % 10 == 0 { (units, places) = (units / 10, places - 1) }
    guard units.magnitude <= Int128(largestUnits).magnitude else { return nil }
    return DecimalNumber(units: Int(units), places: places)
  }
}
