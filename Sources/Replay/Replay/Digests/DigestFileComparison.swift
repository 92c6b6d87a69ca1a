import Support

package struct DigestFileComparison {
  /// Differences between the headers, which need not be errors.
  package let headers: [DigestDifference]
  package let frames: DigestComparison
  /// False unless both files have a digest of the network masks.
  package let masksDiffer: Bool
  package let cut: [String]
  /// Added to B's frame numbers to match A's: see `DigestHeader.numberOffset`.
  package let offset: Int

  package var isEqual: Bool { frames.firstDifference == nil && cut.isEmpty }

  /// - Throws: errors of the readers; `.unsupported` for replays in opposite directions.
  package init(_ a: DigestFileReader, _ b: DigestFileReader) throws(RetakeError) {
    guard a.header.order.isReversed == b.header.order.isReversed else {
      throw RetakeError(
        .unsupported, "One of \(a.name) and \(b.name) was played backwards and the other forwards.",
        hint: "replay both in the same direction, since results depend on earlier frames")
    }
    let offset = a.header.numberOffset(of: b.header)
    self.offset = offset
    var frames = DigestComparison(a)
    while var line = try b.next() {
      line.frame += offset
      try frames.take(line)
    }
    try frames.finish()
    self.frames = frames
    headers = a.header.differences(to: b.header)
    masksDiffer = a.footer?.masks != nil && b.footer?.masks != nil && a.footer?.masks != b.footer?.masks
    cut = [a.cutSentence, b.cutSentence].compactMap { $0 }
  }
}
