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

extension Unicode.Scalar {
  /// What moves a terminal's cursor, ends a line or turns the direction of text.
  package var isControl: Bool {
    value < 0x20 || (0x7F..<0xA0).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

  /// A control character, or an invisible mark that changes in which direction the text beside it is shown.
  package var isHarmfulToShow: Bool {
    isControl || value == 0x200E || value == 0x200F || value == 0x061C || value == 0xFEFF
  }
}

extension String {
  /// The same for a terminal: control characters but line ends, and marks of direction, become question marks. Names in a
  /// recording, a bundle or a path may come from a stranger.
  package var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.isHarmfulToShow && scalar != "\n" ? "?" : scalar) }
    return String(result)
  }
}
