import FrameModel
import Support

/// Two files of digests against each other.
package struct DigestFileComparison {
  /// In what the two were made otherwise; that may be all right.
  package let headers: [DigestDifference]
  package let frames: DigestComparison
  /// Whether the masks that networks gave differ, where both files tell.
  package let masksDiffer: Bool
  /// What there is to say of files that were cut off.
  package let cut: [String]
  /// What was added to the numbers of B's frames so that they are those of A: not 0 where both are of one recording and
  /// call its first frame set by different numbers.
  package let offset: Int

  /// Whether every frame is in both, the same in every stage.
  package var isEqual: Bool { frames.firstDifference == nil && cut.isEmpty }

  /// Reads both to their ends. `missing` are frames that only A has, `extra` those that only B has.
  /// - Throws: what the readers throw; `.unsupported` for replays whose frames come in opposite orders.
  package init(_ a: DigestFileReader, _ b: DigestFileReader) throws(RetakeError) {
    guard a.header.order.isReversed == b.header.order.isReversed else {
      throw RetakeError(
        .unsupported, "One of \(a.name) and \(b.name) was played backwards and the other forwards.",
        hint: "replay both in one order; what lasts from frame to frame makes the other one another replay")
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
