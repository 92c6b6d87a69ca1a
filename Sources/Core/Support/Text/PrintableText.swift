extension Unicode.Scalar {
  /// A character that moves a terminal's cursor, ends a line or changes the direction of text.
  package var isControl: Bool {
    value < 0x20 || (0x7F..<0xA0).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

  /// A control character, or an invisible mark such as those for the direction of text.
  package var isHarmfulToShow: Bool {
    isControl || value == 0x200E || value == 0x200F || value == 0x061C || value == 0xFEFF
  }
}

extension String {
  /// The text made safe for a terminal: all characters that are harmful to show, except line feeds,
  /// become question marks. Names in a recording, bundle or path may come from a stranger.
  package var printable: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.isHarmfulToShow && scalar != "\n" ? "?" : scalar) }
    return String(result)
  }

  /// On one line. After a line feed in the name of a file, its rest would pass for a line of Retake's own.
  package var withoutLineFeeds: String {
    guard utf8.contains(0x0A) else { return self }
    // Not by characters: a carriage return and a line feed are one.
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar == "\n" ? "?" : scalar) }
    return String(result)
  }

  private static let longestExcerpt = 60

  /// The beginning of the text, for error messages: a stranger's value may be as long as its file.
  package var shortened: String {
    guard unicodeScalars.count > Self.longestExcerpt else { return self }
    return String(unicodeScalars.prefix(Self.longestExcerpt)) + "…"
  }
}
