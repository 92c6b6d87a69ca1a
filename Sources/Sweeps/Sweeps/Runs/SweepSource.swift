import RecordingStore
import Replay
import Scores
import Support

package struct SweepSource {
  package let recording: Recording
  /// The path as the user gave it, for messages.
  package let path: String
  package let order: PlayOrder
  package var truth: TruthFolder?
  /// Of boundaries, pixels; nil for the default.
  package var boundaryTolerance: Int?

  /// - Parameters:
  ///   - order: a part of the recording and every n-th frame of it; one pass, forwards.
  ///   - truth: true mattes of played frames; nil for the recording's own alpha, if any.
  package init(_ recording: Recording, path: String, order: PlayOrder, truth: TruthFolder?) {
    (self.recording, self.path, self.order, self.truth) = (recording, path, order, truth)
  }

  /// Returns the numbers of the played frame sets.
  /// - Throws: `.usage` unless the order is one forward pass; `.unsupported` without frames.
  package func playedNumbers() throws(RetakeError) -> [Int] {
    let (order, firstNumber) = (try playedOrder(), try recording.firstNumber())
    return (0..<order.countOfOnePass).map { order.number(at: $0) + firstNumber }
  }

  /// Returns how many frames are played, and how many of them have no face, counted up to a number.
  package func framesWithoutFace(upTo limit: Int) throws(RetakeError) -> (played: Int, empty: Int) {
    let pages = FrameSetPages(recording)
    let order = order.within(try pages.count())
    var empty = 0
    for position in 0..<order.countOfOnePass where empty < limit {
      if try pages.entry(order.number(at: position))?.faces.isEmpty ?? true { empty += 1 }
    }
    return (order.countOfOnePass, empty)
  }

  /// Returns whether as many frames come before the first one with a face.
  package func beginsEmpty(frameCount: Int) throws(RetakeError) -> Bool {
    let pages = FrameSetPages(recording)
    let order = order.within(try pages.count())
    guard order.countOfOnePass >= frameCount else { return false }
    for position in 0..<frameCount {
      guard try pages.entry(order.number(at: position))?.faces.isEmpty ?? true else { return false }
    }
    return true
  }

  /// Returns the order, cut at the recording's end.
  /// - Throws: the errors of `playedNumbers`.
  package func playedOrder() throws(RetakeError) -> PlayOrder {
    guard !order.isReversed, order.passCount == 1, order.every >= 1 else {
      throw RetakeError(
        .usage, "A sweep plays a recording once, forwards.", hint: "do not reverse or repeat it")
    }
    let count = try recording.frameSetCount()
    let order = order.within(count)
    try order.checkPlays(count, of: path, firstNumber: try recording.firstNumber())
    return order
  }
}
