import Parameters

/// Selects p of every q numbers, spread as evenly as integers allow.
///
/// With rate p/q and phase f, number n has a turn iff ⌊(n + f + 1)·p/q⌋ > ⌊(n + f)·p/q⌋. There is
/// no clock and no rounding, and ordinals are computed without counting from the start.
package struct EvenSchedule: Hashable, Sendable {
  package let rate: Fraction
  package let phase: Int

  /// - Parameter phase: nil for the smallest with a turn at number 0, which is ⌈q/p⌉ − 1.
  package init(rate: Fraction, phase: Int? = nil) {
    self.rate = rate
    self.phase = phase ?? (rate.denominator + rate.numerator - 1) / rate.numerator - 1
  }

  /// - Parameter number: 0 or more, as in the other functions.
  package func hasTurn(_ number: Int) -> Bool { turns(before: number + 1) > turns(before: number) }

  /// The number of turns before a number: the ordinal of its turn, if it has one.
  package func ordinal(_ number: Int) -> Int { turns(before: number) - turns(before: 0) }

  /// The number that has the turn with this ordinal: the inverse of `ordinal`.
  package func number(ofTurn ordinal: Int) -> Int {
    // The smallest n with ⌊(n + f + 1)·p/q⌋ ≥ t.
    let turn = ordinal + turns(before: 0) + 1
    return (turn * rate.denominator + rate.numerator - 1) / rate.numerator - 1 - phase
  }

  /// Turns in `phase + number` numbers. Integer division is the floor, as nothing is negative.
  private func turns(before number: Int) -> Int { (number + phase) * rate.numerator / rate.denominator }
}
