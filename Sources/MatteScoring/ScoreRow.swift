/// A value for each kind of score, as far as there is one.
package struct ScoreRow: Hashable, Sendable {
  private var values: [Double?]

  package init() { values = [Double?](repeating: nil, count: Self.places.count) }

  package subscript(_ kind: ScoreKind) -> Double? {
    get { Self.places[kind].flatMap { values[$0] } }
    set { if let place = Self.places[kind] { values[place] = newValue } }
  }

  private static let places = [ScoreKind: Int](
    uniqueKeysWithValues: ScoreKind.allCases.enumerated().map { ($0.element, $0.offset) })
}
