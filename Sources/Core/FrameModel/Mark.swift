import Support

/// A moment that somebody wants to find again: set while recording or afterwards.
package struct Mark: Hashable, Sendable {
  /// Longer labels are refused, where they are made and where they are read.
  package static let largestLabelByteCount = 200

  /// What the moment is; may be empty. One line.
  package let label: String
  /// On the recording's time line.
  package var presentation: PresentationTime

  /// - Throws: `.usage` for a label that is too long or not one line.
  package init(label: String, presentation: PresentationTime) throws(RetakeError) {
    guard Self.isLabel(label) else {
      throw RetakeError(
        .usage, "A mark's label is one line of at most \(Self.largestLabelByteCount) bytes.",
        hint: "give a shorter one, without tabs and line ends")
    }
    self.label = label
    self.presentation = presentation
  }

  /// No control characters: a label is printed on terminals, and a recording may come from a stranger.
  package static func isLabel(_ text: String) -> Bool {
    text.utf8.count <= largestLabelByteCount
      && !text.unicodeScalars.contains { $0.isControl }
  }
}
