import Support

/// Decides each frame's faults, from the seed, the stream and the sequence number alone.
package struct FaultSchedule: Hashable, Sendable {
  let seed: UInt64
  /// Probabilities per frame.
  let drop: Double
  let late: Double
  let duplicate: Double
  let damage: Double

  package init(seed: UInt64, drop: Double = 0, late: Double = 0, duplicate: Double = 0, damage: Double = 0) {
    (self.seed, self.drop, self.late, self.duplicate, self.damage) = (seed, drop, late, duplicate, damage)
  }

  package struct Faults: Hashable, Sendable {
    package var isDropped: Bool
    package var isDuplicated: Bool
    /// Delay in frame periods: 0, or 1.5 to 3.
    package var periodsLate: Double
    /// Share of the frame's bytes that arrive: 1, or less if it is damaged.
    package var share: Double
  }

  package func faults(stream: Int, sequence: Int) -> Faults {
    var generator = SeededGenerator(
      seed: SeededGenerator.hash(seed, 0x4641_554C_54, UInt64(stream), UInt64(sequence)))
    // Always draws every value, so that changing one probability does not affect other faults.
    let draws = (
      drop: generator.nextUnit(), late: generator.nextUnit(), duplicate: generator.nextUnit(),
      damage: generator.nextUnit(), delay: generator.nextUnit(), cut: generator.nextUnit()
    )
    return Faults(
      isDropped: draws.drop < drop, isDuplicated: draws.duplicate < duplicate,
      periodsLate: draws.late < late ? 1.5 + 1.5 * draws.delay : 0,
      share: draws.damage < damage ? draws.cut : 1)
  }
}
