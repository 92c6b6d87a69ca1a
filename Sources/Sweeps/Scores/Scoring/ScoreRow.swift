/// A value for each kind of score, as far as there is one. Without memory of its own: a sweep has one for each frame of each
/// setting.
package struct ScoreRow: Hashable, Sendable {
  /// 0 where there is none, so that equal rows have equal values.
  private var values = InlineArray<17, Double>(repeating: 0)
  /// A bit for each kind that has a value.
  private var present: UInt32 = 0

  package init() {}

  package subscript(_ kind: ScoreKind) -> Double? {
    get { present >> UInt32(kind.place) & 1 == 1 ? values[kind.place] : nil }
    set {
      values[kind.place] = newValue ?? 0
      let bit: UInt32 = 1 << UInt32(kind.place)
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

extension ScoreKind {
  /// In a row. Said and not looked up: it is asked for with every value.
  fileprivate var place: Int {
    switch self {
    case .iou: 0
    case .boundaryF: 1
    case .sad: 2
    case .mse: 3
    case .gradient: 4
    case .connectivity: 5
    case .dtssd: 6
    case .flicker: 7
    case .edgeAlignment: 8
    case .soft: 9
    case .holes: 10
    case .components: 11
    case .area: 12
    case .areaVariation: 13
    case .dropOuts: 14
    case .faceCoverage: 15
    case .lag: 16
    }
  }
}
