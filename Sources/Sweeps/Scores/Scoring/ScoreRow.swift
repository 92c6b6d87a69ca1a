/// An optional value for each kind of score. Allocates nothing, since a sweep has one row per
/// setting and frame.
package struct ScoreRow: Hashable, Sendable {
  /// One element per kind; 0 where there is no value, so that equal rows have equal elements.
  private var values = InlineArray<24, Double>(repeating: 0)
  /// One bit per kind, set if it has a value.
  private var present: UInt32 = 0

  package init() {}

  package subscript(_ kind: ScoreKind) -> Double? {
    get { present >> UInt32(kind.rawValue) & 1 == 1 ? values[kind.rawValue] : nil }
    set {
      values[kind.rawValue] = newValue ?? 0
      let bit: UInt32 = 1 << UInt32(kind.rawValue)
      present = newValue == nil ? present & ~bit : present | bit
    }
  }

  package static func == (a: ScoreRow, b: ScoreRow) -> Bool {
    a.present == b.present && a.values.indices.allSatisfy { a.values[$0] == b.values[$0] }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(present)
    for i in values.indices { hasher.combine(values[i]) }
  }
}
