import FrameModel
import Support

/// Marks that were removed or renamed. Chunk files never change, so the changes are kept beside them and are applied
/// whenever marks are read.
package struct MarkChanges: Hashable, Sendable {
  /// New labels of marks as they stand in the chunk files; nil for those that were removed.
  private(set) var labels: [Mark: String?] = [:]

  static let countLimit = 1024

  init() {}

  init(_ labels: [Mark: String?]) { self.labels = labels }

  /// - Parameter marks: as they stand in the chunk files, in order.
  func applied(to marks: [Mark]) throws(RetakeError) -> [Mark] {
    guard !labels.isEmpty else { return marks }
    var result: [Mark] = []
    for mark in marks {
      guard let change = labels[mark] else {
        result.append(mark)
        continue
      }
      if let label = change { result.append(try Mark(label: label, presentation: mark.presentation)) }
    }
    return result
  }

  /// Changes all marks that are shown as `mark`.
  /// - Parameters:
  ///   - label: nil removes them.
  ///   - stored: marks as they stand in the chunk files.
  /// - Throws: `.usage` for too many changes.
  mutating func set(_ label: String?, of mark: Mark, stored: [Mark]) throws(RetakeError) {
    for original in Set(stored) where original.presentation == mark.presentation {
      guard (labels[original] ?? original.label) == mark.label else { continue }
      if label == original.label { labels[original] = nil } else { labels[original] = .some(label) }
    }
    guard labels.count <= Self.countLimit else {
      throw RetakeError(
        .usage, "At most \(Self.countLimit) marks of a recording can be removed or renamed.",
        hint: "'retake trim' with --from 0 makes a copy that has its marks as they are shown; go on there")
    }
  }

  /// Prepares for a mark to be set. One that was removed is shown again.
  /// - Returns: the mark to store; nil if it is stored already.
  mutating func adding(_ mark: Mark, stored: Set<Mark>) throws(RetakeError) -> Mark? {
    guard let change = labels.removeValue(forKey: mark), stored.contains(mark) else { return mark }
    guard let label = change else { return nil }
    // The stored mark gets its old label back, and a new one takes the place of the renamed one.
    return try adding(Mark(label: label, presentation: mark.presentation), stored: stored)
  }
}
