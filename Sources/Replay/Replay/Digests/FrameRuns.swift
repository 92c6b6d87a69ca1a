/// Counts frame numbers and keeps the first runs of consecutive ones.
package struct FrameRuns: Hashable, Sendable {
  package private(set) var count = 0
  package private(set) var runs: [ClosedRange<Int>] = []
  package private(set) var isCut = false
  private static let limit = 8

  package init() {}

  package mutating func add(_ frame: Int) {
    count += 1
    if !isCut, let last = runs.last, frame == last.upperBound + 1 {
      runs[runs.count - 1] = last.lowerBound...frame
    } else if !isCut, let last = runs.last, frame == last.lowerBound - 1 {
      runs[runs.count - 1] = frame...last.upperBound
    } else if runs.count < Self.limit {
      runs.append(frame...frame)
    } else {
      isCut = true
    }
  }

  /// For example "0-9, 12, …".
  package var text: String {
    let told = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return (told + (isCut ? ["…"] : [])).joined(separator: ", ")
  }
}
