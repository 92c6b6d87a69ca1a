import Parameters

/// A device that gives fewer frame sets from some moment on, as a hot telephone does: `throttle.from` and `throttle.rate`.
package struct Throttle: Hashable, Sendable {
  /// The first number that it acts on; nil for never.
  package let from: Int?
  package let turns: EvenSchedule

  package static let none = Throttle(from: nil, rate: .one)

  package init(from: Int?, rate: Fraction) {
    self.from = from
    turns = EvenSchedule(rate: rate)
  }

  package init(_ parameters: ParameterSet) {
    let from = parameters[ReplayParameters.throttleFrom]
    self.init(from: from < 0 ? nil : from, rate: parameters[ReplayParameters.throttleRate])
  }

  /// The first frame set from `from` on passes.
  package func passes(_ number: Int) -> Bool {
    guard let from, number >= from else { return true }
    return turns.hasTurn(number - from)
  }

  /// How many frame sets before this one pass.
  package func ordinal(_ number: Int) -> Int {
    guard let from, number > from else { return number }
    return from + turns.ordinal(number - from)
  }

  /// The number of the frame set that passes as that one: the inverse of `ordinal`.
  package func number(ofPassing ordinal: Int) -> Int {
    guard let from, ordinal > from else { return ordinal }
    return from + turns.number(ofTurn: ordinal - from)
  }
}
