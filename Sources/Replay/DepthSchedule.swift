import Parameters

/// On which video frames depth is due.
///
/// With rate p/q and phase f, depth is due on video frame i iff ⌊(i + f + 1)·p/q⌋ > ⌊(i + f)·p/q⌋: the deliveries
/// are spread as evenly as whole frames allow, p in every q, with no clock and no rounding.
package struct DepthSchedule: Hashable, Sendable {
  package let rate: Fraction
  package let phase: Int

  /// - Parameter phase: nil for the smallest at which depth is due on frame 0, which is ⌈q/p⌉ − 1.
  package init(rate: Fraction, phase: Int? = nil) {
    self.rate = rate
    self.phase = phase ?? (rate.denominator + rate.numerator - 1) / rate.numerator - 1
  }

  package init(_ parameters: ParameterSet) {
    let phase = parameters[ReplayParameters.depthPhase]
    self.init(rate: parameters[ReplayParameters.depthRate], phase: phase < 0 ? nil : phase)
  }

  /// - Parameter frame: 0 or more.
  package func isDepthDue(onVideoFrame frame: Int) -> Bool {
    delivered(before: frame + 1) > delivered(before: frame)
  }

  /// Frames due in phase + `frame` frames. The quotient of whole numbers is the floor, since none is negative.
  private func delivered(before frame: Int) -> Int { (frame + phase) * rate.numerator / rate.denominator }
}
