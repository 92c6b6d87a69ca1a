import FrameModel
import RecordingStore
import Replay
import Scores
import Support

/// A recording that settings are tried on.
package struct SweepSource {
  package let recording: Recording
  /// As it was named, for people.
  package let path: String
  package let order: PlayOrder
  /// Nil for the recording's own alpha, where it has it.
  package var truth: TruthFolder?

  /// - Parameters:
  ///   - order: a part and every so many frames of it; one pass, from the front.
  ///   - truth: true mattes of all frames that are played; nil for the recording's own alpha, where it has it.
  package init(_ recording: Recording, path: String, order: PlayOrder, truth: TruthFolder?) {
    (self.recording, self.path, self.order, self.truth) = (recording, path, order, truth)
  }

  /// Numbers of the frame sets that are played, as far as the recording goes: those a `TruthFolder` has to have.
  /// - Throws: `.usage` for an order that is not one pass from the front; `.unsupported` where there is no frame.
  package func playedNumbers() throws(RetakeError) -> [Int] {
    let (order, firstNumber) = (try playedOrder(), try recording.firstNumber())
    return (0..<order.countOfOnePass).map { order.number(at: $0) + firstNumber }
  }

  /// The order without what lies beyond the recording's end.
  /// - Throws: as `playedNumbers`.
  func playedOrder() throws(RetakeError) -> PlayOrder {
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
