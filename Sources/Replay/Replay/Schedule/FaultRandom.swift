import Support

/// Random numbers that depend only on seed, kind of fault and frame number, so that faults are the
/// same wherever a replay begins and in any order.
package struct FaultRandom: Hashable, Sendable {
  /// Raw values determine the meaning of a seed, so they must not change.
  package enum Kind: UInt64, CaseIterable, Sendable {
    case colorDrop = 1
    case colorDuplicate = 2
    case colorSwap = 3
    case depthDrop = 4
    case depthDuplicate = 5
    case depthSwap = 6
    case depthJitter = 7
    case depthNoise = 8
  }

  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// Uniform in all bits.
  package func word(_ kind: Kind, _ number: Int) -> UInt64 {
    SeededGenerator.hash(seed, kind.rawValue, UInt64(bitPattern: Int64(number)))
  }

  package func happens(_ kind: Kind, _ number: Int, _ chance: FaultChance) -> Bool {
    chance.threshold > 0 && word(kind, number) >> 11 < chance.threshold
  }

  /// Uniform in 0 ... `largest`.
  package func number(_ kind: Kind, _ number: Int, upTo largest: Int) -> Int {
    guard largest > 0 else { return 0 }
    return Int(word(kind, number).multipliedFullWidth(by: UInt64(largest) + 1).high)
  }
}

/// A probability in units of 2⁻⁵³, compared without further rounding.
package struct FaultChance: Hashable, Sendable {
  package let threshold: UInt64

  package static let never = FaultChance(0)

  package init(_ probability: Double) {
    threshold = UInt64((min(max(probability, 0), 1) * 0x1p53).rounded(.toNearestOrEven))
  }
}

package struct FaultBursts: Hashable, Sendable {
  /// Chance that a burst starts at a frame.
  package let chance: FaultChance
  package let length: Int

  package static let none = FaultBursts(chance: .never, length: 1)

  package init(chance: FaultChance, length: Int) {
    precondition(length >= 1)
    self.chance = chance
    self.length = length
  }

  /// Bursts may overlap.
  package func hits(_ number: Int, _ kind: FaultRandom.Kind, _ random: FaultRandom) -> Bool {
    guard chance.threshold > 0 else { return false }
    for start in stride(from: number, to: max(-1, number - length), by: -1) {
      if random.happens(kind, start, chance) { return true }
    }
    return false
  }
}
