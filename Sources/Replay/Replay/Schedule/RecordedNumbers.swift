/// Which frame sets there are, as schedules ask for them; it keeps in mind to which it said yes.
///
/// A part of the recording that has all of those answers every question as the whole does: what the whole does not have, no part
/// has. So what is found out by asking is the same in both, be it what becomes of a frame or what a frame holds instead.
package final class RecordedNumbers {
  package let range: Range<Int>
  /// From the first to the last number that anything found out so far depends on; nil before the first.
  package private(set) var used: ClosedRange<Int>?

  package init(_ range: Range<Int>) { self.range = range }

  package func contains(_ number: Int) -> Bool {
    guard range.contains(number) else { return false }
    use(number)
    return true
  }

  /// - Parameter number: of a frame set that there is, found without asking.
  func use(_ number: Int) {
    used = used.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
  }
}
