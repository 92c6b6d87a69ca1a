/// What a stranger wrote is shown, and does not fill the screen or pass for what Retake says.
extension String {
  /// Its first so many characters of Unicode, with a space for each end of a line.
  package func onOneLine(limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(limit) { result.append(scalar.properties.isWhitespace ? " " : scalar) }
    return String(result) + (unicodeScalars.count > limit ? "…" : "")
  }

  /// Every line behind two spaces.
  package var indentedLines: String {
    split(omittingEmptySubsequences: false) { $0.isNewline }.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension BundleDescription {
  private static let toldSentenceCount = 20
  private static let sentenceLimit = 200

  /// What was removed, as it is told to people: the first sentences of a list that a stranger may have made long.
  package var removedTold: [String] {
    let told = removed.prefix(Self.toldSentenceCount).map { $0.onOneLine(limit: Self.sentenceLimit) }
    let more = removed.count - told.count
    return more > 0 ? told + ["… and \(more) more."] : told
  }
}
