import Glibc

/// CPU time of this process, which other work on the machine does not affect.
enum Stopwatch {
  static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func measure(_ body: () throws -> Void) rethrows -> Double {
    let start = cpuSeconds()
    try body()
    return cpuSeconds() - start
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Formats with two decimals, or none from 100 on.
  static func text(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let hundredths = Int((value * 100).rounded())
    let rest = String(hundredths % 100)
    return "\(hundredths / 100)." + (rest.count < 2 ? "0" : "") + rest
  }
}
