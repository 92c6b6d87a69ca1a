import Support

/// Decides each frame's faults, from the seed, the stream and the sequence number alone.
package struct FaultSchedule: Hashable, Sendable {
  /// Per frame, each 0 to 1.
  package struct Probabilities: Hashable, Sendable {
    package var drop = 0.0
    package var late = 0.0
    package var duplicate = 0.0
    package var damage = 0.0

    package init(drop: Double = 0.0, late: Double = 0.0, duplicate: Double = 0.0, damage: Double = 0.0) {
      (self.drop, self.late, self.duplicate, self.damage) = (drop, late, duplicate, damage)
    }
  }

  package struct Faults: Hashable, Sendable {
    package var isDropped: Bool
    package var isDuplicated: Bool
    /// Delay in frame periods: 0, or 1.5 to 3.
    package var periodsLate: Double
    /// Share of the frame's bytes that arrive: 1, or less if it is damaged.
    package var share: Double
  }

  package let seed: UInt64
  package let probabilities: Probabilities

  package init(seed: UInt64, _ probabilities: Probabilities) {
    self.seed = seed
    self.probabilities = probabilities
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
      isDropped: draws.drop < probabilities.drop, isDuplicated: draws.duplicate < probabilities.duplicate,
      periodsLate: draws.late < probabilities.late ? 1.5 + 1.5 * draws.delay : 0,
      share: draws.damage < probabilities.damage ? draws.cut : 1)
  }
}
