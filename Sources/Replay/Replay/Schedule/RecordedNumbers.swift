/// The existing frame sets; notes which ones a schedule asked for and found.
///
/// A part of the recording with all noted frame sets gives the same answers as the whole: sets that
/// the whole lacks are missing in every part.
package final class RecordedNumbers {
  package let range: Range<Int>
  /// The range of numbers noted so far; nil before the first.
  package private(set) var used: ClosedRange<Int>?

  package init(_ range: Range<Int>) { self.range = range }

  package func contains(_ number: Int) -> Bool {
    guard range.contains(number) else { return false }
    use(number)
    return true
  }

  /// Notes an existing frame set that was found without `contains`.
  func use(_ number: Int) {
    used = used.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
  }
}
