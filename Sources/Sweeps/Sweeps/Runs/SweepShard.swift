import Support

/// One part of a sweep, for running on several machines: "3/16" is the third of sixteen. `SweepParts` says which runs it has.
package struct SweepShard: Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  package let number: Int
  package let count: Int
  private static let countRange = 1...100_000

  package init(_ text: String) throws(RetakeError) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard halves.count == 2, let number = halves[0], let count = halves[1], Self.countRange.contains(count),
      (1...count).contains(number)
    else {
      throw RetakeError(
        .usage, "'\(text.shortened)' is not a part of a sweep.",
        hint: "write NUMBER/COUNT, as in 3/16, with a NUMBER from 1 to COUNT, and a COUNT of at most 100000")
    }
    (self.number, self.count) = (number, count)
  }

  package var description: String { "\(number)/\(count)" }
}
