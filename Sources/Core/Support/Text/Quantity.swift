/// Times and sizes as people write them.
package enum Quantity {
  /// Numbers from here on are none that a person means, and may not fit.
  private static let end = 1e18
  private static let times: [(suffix: String, factor: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12), ("", 1e9),
  ]

  /// The longest time in whole hours.
  package static let longestHours = Int(end / 3.6e12)

  /// Whether a text is a time, but a longer one than `longestHours`.
  package static func isTooLong(_ text: String) -> Bool {
    times.contains { unit in
      text.hasSuffix(unit.suffix) && (Double(text.dropLast(unit.suffix.count)).map { $0 * unit.factor >= end } ?? false)
    }
  }

  /// "5s", "1.5s", "500ms", "2m" or "1h"; a bare number is seconds. Nil for other text.
  package static func nanoseconds(_ text: String) -> Int64? {
    value(text, times).map { Int64($0) }
  }

  /// "500MB", "1GiB", "2G" or "4096", in capitals or not. Nil for other text.
  package static func bytes(_ text: String) -> Int? {
    value(
      text.lowercased(),
      [
        ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9),
        ("tb", 1e12), ("b", 1), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("", 1),
      ])
  }

  /// - Parameter units: the first suffix behind a number counts.
  /// - Returns: nil for other text, and for a negative or very large number.
  private static func value(_ text: String, _ units: [(suffix: String, factor: Double)]) -> Int? {
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let value = Double(text.dropLast(unit.suffix.count)) else { continue }
      let number = value * unit.factor
      return value >= 0 && number < end ? Int(number) : nil
    }
    return nil
  }
}
