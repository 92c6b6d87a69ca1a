import Support

/// Random numbers that are looked up, not drawn: what happens at a frame depends on seed, kind of fault and frame number alone,
/// and so not on where a replay begins, nor on its order.
package struct FaultRandom: Hashable, Sendable {
  /// Raw values are part of what a seed means: they stay as they are.
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

  /// Uniform in all of its bits.
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

/// A probability as a whole number of 2⁻⁵³, so that it is compared and never rounded again.
package struct FaultChance: Hashable, Sendable {
  package let threshold: UInt64

  package static let never = FaultChance(0)

  /// - Parameter probability: 0 ... 1.
  package init(_ probability: Double) {
    threshold = UInt64((min(max(probability, 0), 1) * 0x1p53).rounded(.toNearestOrEven))
  }
}

/// Frames that are lost, one or several in a row.
package struct FaultBursts: Hashable, Sendable {
  /// That a burst begins at a frame.
  package let chance: FaultChance
  /// Frames from its first on.
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
