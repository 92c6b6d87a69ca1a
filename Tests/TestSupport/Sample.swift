import Foundation
import Support

/// Shortens tests of very many cases.
package enum Sample {
  /// Whether every case runs: `Tools/test --all` sets `RETAKE_WHOLE`.
  package static let isWhole = ProcessInfo.processInfo.environment["RETAKE_WHOLE"] != nil

  /// Returns some of a test's cases, or all if `isWhole`, and prints how many.
  ///
  /// The cases are divided into equal parts, and a seeded generator chooses one of each part: the same ones each time.
  /// - Parameter count: how many without `isWhole`.
  package static func of<Cases: Sequence>(
    _ cases: Cases, count: Int, seed: UInt64 = 1, test: String = #function
  ) -> [Cases.Element] {
    let all = Array(cases)
    guard !isWhole, count < all.count else { return all }
    var generator = SeededGenerator(seed: seed)
    let some = (0..<count).map { part in
      let (first, end) = (part * all.count / count, (part + 1) * all.count / count)
      return all[first + generator.next(below: end - first)]
    }
    print("\(test): \(some.count) of \(all.count) cases")
    return some
  }

  /// Returns how many equal cases a test runs: `all` of them if `isWhole`, otherwise `usual`, and prints it.
  package static func count(of all: Int, usual: Int, test: String = #function) -> Int {
    guard !isWhole else { return all }
    print("\(test): \(usual) of \(all) cases")
    return usual
  }
}
