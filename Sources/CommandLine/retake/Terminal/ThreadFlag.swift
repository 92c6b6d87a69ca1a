import ArgumentParser
import Glibc
import Support

struct ThreadFlag: ParsableArguments {
  @Option(
    help:
      "Number of threads; affects only the speed. By default SLURM_CPUS_PER_TASK, or all processors that it may use.")
  var threads: Int?

  var count: Int { Self.count(threads) }

  func validate() throws { try Self.check(threads) }

  /// - Throws: if the number is out of range.
  static func check(_ threads: Int?) throws {
    let range = ProcessorCount.range
    guard let threads, !range.contains(threads) else { return }
    throw ValidationError("--threads takes \(range.lowerBound) to \(range.upperBound).")
  }

  static func count(_ threads: Int?) -> Int { threads ?? allotted ?? ProcessorCount.usable }

  /// What Slurm gives the job. It need not limit the processors that the job sees.
  private static var allotted: Int? {
    let text = getenv("SLURM_CPUS_PER_TASK").map { String(cString: $0) }
    return text.flatMap { Int($0) }.flatMap { ProcessorCount.range.contains($0) ? $0 : nil }
  }
}
