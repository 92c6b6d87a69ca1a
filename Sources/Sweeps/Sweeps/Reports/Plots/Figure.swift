import FrameModel
import Support

/// Numbers as people and pages read them: the same text for the same bits, whatever the locale.
enum Figure {
  /// Beyond it a number of tenths has no exact place in a Double.
  private static let largest = 9e15

  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14]

  static let mostDecimals = 8

  static func power(_ decimals: Int) -> Double { powers[min(max(decimals, 0), powers.count - 1)] }

  /// Rounded half away from zero, with so many decimals; scientific where it is too large for that.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scaled = (value.magnitude * power(decimals)).rounded(.toNearestOrAwayFromZero)
    guard scaled < largest else { return "\(value)" }
    let digits = Int(scaled).zeroPadded(decimals + 1)
    // Zero has no sign, though what was rounded to it had one.
    let sign = value < 0 && scaled > 0 ? "−" : ""
    guard decimals > 0 else { return sign + digits }
    return sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// As `fixed`, with a plus sign before what is above zero.
  static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { "123456789".contains($0) } ? "+" + text : text
  }

  /// What a page's script is given: no more decimals than that, and no zeros at the end.
  static func json(_ value: Double, _ decimals: Int) -> String {
    var text = fixed(value, decimals)
    if text.hasPrefix("−") { text = "-" + text.dropFirst() }
    guard text.contains("."), !text.contains("e") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A place in a drawing, to a tenth.
  static func place(_ value: Double) -> String { json(value, 1) }

  /// So many that values which differ show it: three digits of what lies between the least and the largest.
  static func decimals(for values: [Double]) -> Int {
    guard let least = values.min(), let most = values.max() else { return 3 }
    let spread = most > least ? most - least : max(most.magnitude, least.magnitude)
    guard spread > 0 else { return 1 }
    var decimals = 0
    while decimals < mostDecimals, spread * power(decimals) < 100 { decimals += 1 }
    return decimals
  }

  /// 12,345.
  static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits = String(digits.dropLast(3))
    }
    return (value < 0 ? "−" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// "1 setting", "2 settings".
  static func counted(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    count(value) + " " + (value == 1 ? one : many ?? one + "s")
  }

  /// Of numbers up to here sums, means and axes stay finite.
  private static let largestNumber = 1e100

  /// What a parameter's text says as a number: "4", "0.25", "1/3"; nil for words, and for what is too large to draw.
  static func number(_ text: String) -> Double? {
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
