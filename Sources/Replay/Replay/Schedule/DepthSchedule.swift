import Parameters

/// On which video frames depth is due: `depth.rate` and `depth.phase`.
package struct DepthSchedule: Hashable, Sendable {
  package let turns: EvenSchedule
  package var rate: Fraction { turns.rate }
  package var phase: Int { turns.phase }

  /// - Parameter phase: nil for the smallest at which depth is due on frame 0.
  package init(rate: Fraction, phase: Int? = nil) { turns = EvenSchedule(rate: rate, phase: phase) }

  package init(_ parameters: ParameterSet) {
    let phase = parameters[ReplayParameters.depthPhase]
    self.init(rate: parameters[ReplayParameters.depthRate], phase: phase < 0 ? nil : phase)
  }

  /// - Parameter frame: 0 or more; counts the video frames that a throttle lets through.
  package func isDepthDue(onVideoFrame frame: Int) -> Bool { turns.hasTurn(frame) }
}
