import Foundation

/// The default number of threads.
package enum ProcessorCount {
  /// Thread counts that every command accepts.
  package static let range = 1...256
  package static var usable: Int {
    min(range.upperBound, max(1, allowed ?? ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Processors that this process may run on, which a scheduler or `taskset` may limit; nil if unknown. From /proc: Swift
  /// does not import sched_getaffinity.
  private static var allowed: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let name = "Cpus_allowed:"
    // Hexadecimal digits in groups, such as "ff,ffffffff".
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
    return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
  }
}
