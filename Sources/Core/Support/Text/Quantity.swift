/// Times and sizes as people write them.
package enum Quantity {
  /// "5s", "1.5s", "500ms", "2m" or "1h"; a bare number is seconds. Nil for other text.
  package static func nanoseconds(_ text: String) -> Int64? {
    value(text, [("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12), ("", 1e9)]).map { Int64($0) }
  }

  /// "500MB", "1GiB", "2G" or "4096". Nil for other text.
  package static func bytes(_ text: String) -> Int? {
    value(
      text,
      [
        ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9),
        ("TB", 1e12), ("B", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("", 1),
      ])
  }

  /// - Parameter units: the first suffix behind a number counts.
  /// - Returns: nil for other text, and for a negative or very large number.
  private static func value(_ text: String, _ units: [(suffix: String, factor: Double)]) -> Int? {
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let value = Double(text.dropLast(unit.suffix.count)) else { continue }
      let number = value * unit.factor
      return value >= 0 && number < 1e18 ? Int(number) : nil
    }
    return nil
  }
}
