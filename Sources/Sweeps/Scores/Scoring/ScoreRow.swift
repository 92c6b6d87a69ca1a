/// A value for each kind of score that has one. It allocates nothing: a sweep has a row for each frame of each setting.
package struct ScoreRow: Hashable, Sendable {
  /// As many as there are kinds; 0 where there is no value, so that equal rows have equal values.
  private var values = InlineArray<17, Double>(repeating: 0)
  /// A bit for each kind that has a value.
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
