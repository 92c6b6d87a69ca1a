import ArgumentParser
import Support

struct ThreadFlag: ParsableArguments {
  @Option(help: "Number of threads; affects only the speed. By default one per processor.")
  var threads: Int?

  var count: Int { Self.count(threads) }

  func validate() throws { try Self.check(threads) }

  /// - Throws: if the number is out of range.
  static func check(_ threads: Int?) throws {
    let range = ProcessorCount.range
    guard let threads, !range.contains(threads) else { return }
    throw ValidationError("--threads takes \(range.lowerBound) to \(range.upperBound).")
  }

  static func count(_ threads: Int?) -> Int { threads ?? ProcessorCount.usable }
}
