import Parameters

/// The video frames on which depth is due, from `depth.rate` and `depth.phase`.
package struct DepthSchedule: Hashable, Sendable {
  package let turns: EvenSchedule
  package var rate: Fraction { turns.rate }
  package var phase: Int { turns.phase }

  /// - Parameter phase: nil for the smallest with depth due on frame 0.
  package init(rate: Fraction, phase: Int? = nil) { turns = EvenSchedule(rate: rate, phase: phase) }

  package init(_ parameters: ParameterSet) {
    let phase = parameters[ReplayParameters.delivery.depthPhase]
    self.init(rate: parameters[ReplayParameters.delivery.depthRate], phase: phase < 0 ? nil : phase)
  }

  /// - Parameter frame: 0 or more; counts only video frames that pass a throttle.
  package func isDepthDue(onVideoFrame frame: Int) -> Bool { turns.hasTurn(frame) }
}
