import ArgumentParser

/// "5s", "1.5s", "500ms", "2m" or "1h"; a bare number is seconds. 0 is valid, negative is not.
struct TimeSpan: ExpressibleByArgument {
  let nanoseconds: Int64

  init?(argument: String) {
    let units: [(suffix: String, nanoseconds: Double)] = [
      ("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12), ("", 1e9),
    ]
    for unit in units where argument.hasSuffix(unit.suffix) {
      guard let value = Double(argument.dropLast(unit.suffix.count)) else { continue }
      guard value >= 0, value * unit.nanoseconds < 1e18 else { return nil }
      nanoseconds = Int64(value * unit.nanoseconds)
      return
    }
    return nil
  }
}

/// "500MB", "1GiB", "2G" or "4096".
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let units: [(suffix: String, bytes: Double)] = [
      ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9),
      ("TB", 1e12), ("B", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("", 1),
    ]
    for unit in units where argument.hasSuffix(unit.suffix) {
      guard let value = Double(argument.dropLast(unit.suffix.count)) else { continue }
      guard value >= 0, value * unit.bytes < 1e18 else { return nil }
      bytes = Int(value * unit.bytes)
      return
    }
    return nil
  }
}
