import FrameModel
import MattePipeline
import Replay
import Support

/// Keeps a video of constant frame rate in time, by repeating a frame for each one missing before.
package final class SteadySink: RenderSink {
  private let sink: any RenderSink
  private let rate: FrameRate
  private var nextSlot: Int?
  /// Frames. A longer gap becomes a cut, instead of minutes of one picture.
  private static let longestGap = 300

  package init(_ sink: any RenderSink, rate: FrameRate) {
    self.sink = sink
    self.rate = rate
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    // Rounded to nearest, so that jitter moves no frame to a neighbouring slot.
    let slot = rate.periods(in: output.presentation.nanoseconds + rate.periodNanoseconds / 2)
    let missing = nextSlot.map { slot - $0 } ?? 0
    if (1...Self.longestGap).contains(missing) { for _ in 0..<missing { try sink.take(output) } }
    try sink.take(output)
    nextSlot = max(slot, nextSlot ?? slot) + 1
  }

  package func finish() throws(RetakeError) { try sink.finish() }
}
