import ArgumentParser
import Support

/// "5s", "1.5s", "500ms", "2m" or "1h"; a bare number is seconds. 0 is valid, negative is not.
struct TimeSpan: ExpressibleByArgument {
  let nanoseconds: Int64

  init?(argument: String) {
    guard let number = Quantity.nanoseconds(argument) else { return nil }
    nanoseconds = number
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
    guard let number = Quantity.bytes(argument) else { return nil }
    bytes = number
  }
}
