import Support

/// Numbers as text, for people and for scripts: equal bits give equal text in every locale.
package enum Figure {
  /// Just below 2^53, where doubles stop being exact integers.
  private static let largest = 9e15

  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14]

  package static let mostDecimals = 8

  static func power(_ decimals: Int) -> Double { powers[min(max(decimals, 0), powers.count - 1)] }

  /// Rounded half away from zero; Swift's own text for numbers that are too large for that.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scaled = (value.magnitude * power(decimals)).rounded(.toNearestOrAwayFromZero)
    guard scaled < largest else { return "\(value)" }
    let digits = Int(scaled).zeroPadded(decimals + 1)
    // A value that rounds to zero gets no sign.
    let sign = value < 0 && scaled > 0 ? "−" : ""
    guard decimals > 0 else { return sign + digits }
    return sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// As `fixed`, with a plus sign.
  package static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { "123456789".contains($0) } ? "+" + text : text
  }

  /// A JSON number with at most `decimals` places and no trailing zeros.
  package static func json(_ value: Double, _ decimals: Int) -> String {
    var text = fixed(value, decimals)
    if text.hasPrefix("−") { text = "-" + text.dropFirst() }
    guard text.contains("."), !text.contains("e") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  static func place(_ value: Double) -> String { json(value, 1) }

  /// Enough decimals to show three digits of the values' spread.
  package static func decimals(for values: [Double]) -> Int {
    guard let least = values.min(), let most = values.max() else { return 3 }
    let spread = most > least ? most - least : max(most.magnitude, least.magnitude)
    guard spread > 0 else { return 1 }
    var decimals = 0
    while decimals < mostDecimals, spread * power(decimals) < 100 { decimals += 1 }
    return decimals
  }

  package static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits = String(digits.dropLast(3))
    }
    return (value < 0 ? "−" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// Such as "1 setting" or "2 settings".
  package static func counted(_ value: Int, _ noun: String) -> String {
    "\(count(value)) \(noun)\(value == 1 ? "" : "s")"
  }

  /// Larger numbers are not drawn, so that sums, means and axes stay finite.
  private static let largestNumber = 1e100

  /// The value of a parameter's text, such as "0.25" or "1/3"; nil for words and large numbers.
  package static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    var numbers: [Double] = []
    for part in parts {
      guard part.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(part) else { return nil }
      numbers.append(number)
    }
    let value = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    return value.magnitude <= largestNumber ? value : nil
  }
}
