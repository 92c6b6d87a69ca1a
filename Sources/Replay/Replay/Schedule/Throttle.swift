import Parameters

/// `throttle.from` and `throttle.rate`: fewer frame sets from some frame on, as from a hot phone.
package struct Throttle: Hashable, Sendable {
  /// The first number affected; nil for never.
  package let from: Int?
  package let turns: EvenSchedule

  package static let none = Throttle(from: nil, rate: .one)

  package init(from: Int?, rate: Fraction) {
    self.from = from
    turns = EvenSchedule(rate: rate)
  }

  package init(_ parameters: ParameterSet) {
    let from = parameters[ReplayParameters.delivery.throttleFrom]
    self.init(from: from < 0 ? nil : from, rate: parameters[ReplayParameters.delivery.throttleRate])
  }

  /// The frame set at `from` passes.
  package func passes(_ number: Int) -> Bool {
    guard let from, number >= from else { return true }
    return turns.hasTurn(number - from)
  }

  /// The number of frame sets before this one that pass.
  package func ordinal(_ number: Int) -> Int {
    guard let from, number > from else { return number }
    return from + turns.ordinal(number - from)
  }

  /// The number of the frame set that passes with this ordinal: the inverse of `ordinal`.
  package func number(ofPassing ordinal: Int) -> Int {
    guard let from, ordinal > from else { return ordinal }
    return from + turns.number(ofTurn: ordinal - from)
  }
}
