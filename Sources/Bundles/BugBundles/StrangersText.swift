/// Keeps text of strangers from filling the screen or passing for Retake's own messages.
extension String {
  /// The first `limit` Unicode scalars, with whitespace replaced by spaces.
  package func onOneLine(limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(limit) { result.append(scalar.properties.isWhitespace ? " " : scalar) }
    return String(result) + (unicodeScalars.count > limit ? "…" : "")
  }

  package var indentedLines: String {
    split(omittingEmptySubsequences: false) { $0.isNewline }.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension BundleDescription {
  private static let toldSentenceCount = 20
  private static let sentenceLimit = 200

  /// `removed` for display: only the first sentences, since a stranger may have made the list long.
  package var removedTold: [String] {
    let told = removed.prefix(Self.toldSentenceCount).map { $0.onOneLine(limit: Self.sentenceLimit) }
    let more = removed.count - told.count
    return more > 0 ? told + ["… and \(more) more."] : told
  }
}
