import Parameters

/// Turns that come p times in every q numbers, spread as evenly as whole numbers allow.
///
/// With rate p/q and phase f, number n has a turn iff ⌊(n + f + 1)·p/q⌋ > ⌊(n + f)·p/q⌋: no clock and no rounding, and which turn
/// a number has, and which number a turn, need no counting from the start.
package struct EvenSchedule: Hashable, Sendable {
  package let rate: Fraction
  package let phase: Int

  /// - Parameter phase: nil for the smallest at which number 0 has a turn, which is ⌈q/p⌉ − 1.
  package init(rate: Fraction, phase: Int? = nil) {
    self.rate = rate
    self.phase = phase ?? (rate.denominator + rate.numerator - 1) / rate.numerator - 1
  }

  /// - Parameter number: 0 or more; so with the others.
  package func hasTurn(_ number: Int) -> Bool { turns(before: number + 1) > turns(before: number) }

  /// How many numbers before this one have a turn: what a number with a turn is called among them.
  package func ordinal(_ number: Int) -> Int { turns(before: number) - turns(before: 0) }

  /// The number whose turn is called so: the inverse of `ordinal`.
  package func number(ofTurn ordinal: Int) -> Int {
    // The smallest n with ⌊(n + f + 1)·p/q⌋ ≥ t.
    let turn = ordinal + turns(before: 0) + 1
    return (turn * rate.denominator + rate.numerator - 1) / rate.numerator - 1 - phase
  }

  /// Turns in phase + `number` numbers. The quotient of whole numbers is the floor, since none is negative.
  private func turns(before number: Int) -> Int { (number + phase) * rate.numerator / rate.denominator }
}
