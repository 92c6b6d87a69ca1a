import Support

/// A moment to find again, set while recording or afterwards.
package struct Mark: Hashable, Sendable {
  /// Longer labels are rejected when a mark is created and when it is read.
  package static let largestLabelByteCount = 200

  /// One line; may be empty.
  package let label: String
  package var presentation: PresentationTime

  /// - Throws: `.usage` for a label that is too long or not one line, and for a time that no recording can hold.
  package init(label: String, presentation: PresentationTime) throws(RetakeError) {
    guard Self.isLabel(label) else {
      throw RetakeError(
        .usage, "A mark's label must be one line of at most \(Self.largestLabelByteCount) bytes.",
        hint: "give a shorter label, without tabs or line breaks")
    }
    guard presentation.nanoseconds.isPlausibleTime else {
      throw RetakeError(
        .usage, "A mark's time of \(presentation.nanoseconds) ns is beyond what a recording can hold.",
        hint: "give a time within the recording")
    }
    self.label = label
    self.presentation = presentation
  }

  /// Without control characters: labels are printed, and a recording may come from a stranger.
  package static func isLabel(_ text: String) -> Bool {
    text.utf8.count <= largestLabelByteCount
      && !text.unicodeScalars.contains { $0.isControl }
  }
}
