import Support

/// Which frame sets are played, and in which order.
package struct PlayOrder: Hashable, Sendable {
  /// Frame set numbers. Those beyond the recording's end are left out.
  package var frames: Range<Int>
  /// Plays one of this many frame sets, counted from where play begins.
  package var every = 1
  package var isReversed = false
  /// Passes over the part; nil for endless repetition.
  package var passCount: Int? = 1

  package static let everything = PlayOrder(frames: 0..<Int.max)

  package init(frames: Range<Int>) { self.frames = frames }

  package func within(_ frameSetCount: Int) -> PlayOrder {
    var order = self
    order.frames = frames.clamped(to: 0..<frameSetCount)
    return order
  }

  package func checkPlays(_ frameSetCount: Int, of name: String, firstNumber: Int = 0) throws(RetakeError) {
    guard frames.isEmpty else { return }
    throw RetakeError(
      .unsupported,
      "\(name) has no frames in the selected range: "
        + (frameSetCount > 0
          ? "its frame sets are \(firstNumber) to \(firstNumber + frameSetCount - 1)." : "it has no frame sets."),
      hint: "'retake info' shows its contents")
  }

  package var countOfOnePass: Int { frames.isEmpty ? 0 : (frames.count - 1) / every + 1 }

  /// The frame set at a position in a pass, both counted from 0.
  package func number(at position: Int) -> Int {
    isReversed ? frames.upperBound - 1 - position * every : frames.lowerBound + position * every
  }
}
