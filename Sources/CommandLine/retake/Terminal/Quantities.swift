import ArgumentParser

/// "5s", "1.5s", "500ms", "2m" or "1h"; a bare number is seconds. 0 is valid, negative is not.
struct TimeSpan: ExpressibleByArgument {
  let nanoseconds: Int64

  init?(argument: String) {
    let units: [(suffix: String, factor: Double)] = [
      ("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12), ("", 1e9),
    ]
    guard let number = quantity(argument, units) else { return nil }
    nanoseconds = Int64(number)
  }
}

/// As `TimeSpan`, and with a minus sign.
struct SignedTimeSpan: ExpressibleByArgument {
  let nanoseconds: Int64

  init?(argument: String) {
    let isNegative = argument.hasPrefix("-")
    guard let span = TimeSpan(argument: isNegative ? String(argument.dropFirst()) : argument) else { return nil }
    nanoseconds = isNegative ? -span.nanoseconds : span.nanoseconds
  }
}

/// "500MB", "1GiB", "2G" or "4096".
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let units: [(suffix: String, factor: Double)] = [
      ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9),
      ("TB", 1e12), ("B", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("", 1),
    ]
    guard let number = quantity(argument, units) else { return nil }
    bytes = number
  }
}

/// - Parameter units: the first suffix behind a number counts.
/// - Returns: nil for other text, and for a negative or very large number.
private func quantity(_ text: String, _ units: [(suffix: String, factor: Double)]) -> Int? {
  for unit in units where text.hasSuffix(unit.suffix) {
    guard let value = Double(text.dropLast(unit.suffix.count)) else { continue }
    let number = value * unit.factor
    return value >= 0 && number < 1e18 ? Int(number) : nil
  }
  return nil
}
