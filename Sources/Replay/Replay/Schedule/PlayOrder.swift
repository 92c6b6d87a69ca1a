import FrameModel
import Support

/// In which order frame sets are played: a part of a recording, all of them or every n-th, from either end, once or again.
package struct PlayOrder: Hashable, Sendable {
  /// Numbers of frame sets. What lies beyond the recording's last is left out.
  package var frames: Range<Int>
  /// Of the part, counted from the end that play begins at.
  package var every = 1
  package var isReversed = false
  /// Passes over the part, each of which begins anew; nil for no end.
  package var passCount: Int? = 1

  package static let everything = PlayOrder(frames: 0..<Int.max)

  package init(frames: Range<Int>) { self.frames = frames }

  /// Without what lies beyond the last of so many frame sets.
  package func within(_ frameSetCount: Int) -> PlayOrder {
    var order = self
    order.frames = frames.clamped(to: 0..<frameSetCount)
    return order
  }

  /// - Parameters:
  ///   - name: what the recording is called.
  ///   - firstNumber: what its first frame set is called.
  /// - Throws: `.unsupported` where there is no frame set to play.
  package func checkPlays(_ frameSetCount: Int, of name: String, firstNumber: Int = 0) throws(RetakeError) {
    guard frames.isEmpty else { return }
    throw RetakeError(
      .unsupported,
      "\(name) has no frames to replay there: "
        + (frameSetCount > 0
          ? "its frame sets are \(firstNumber) to \(firstNumber + frameSetCount - 1)." : "it has none at all."),
      hint: "'retake info' shows what it holds")
  }

  /// How many frame sets of the part one pass plays.
  package var countOfOnePass: Int { frames.isEmpty ? 0 : (frames.count - 1) / every + 1 }

  /// The number of the frame set that a pass plays as that one, counted from 0.
  package func number(at position: Int) -> Int {
    isReversed ? frames.upperBound - 1 - position * every : frames.lowerBound + position * every
  }
}
