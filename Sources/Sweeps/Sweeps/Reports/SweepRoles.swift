import Scores

/// The settings that a report singles out, and the ranking of all settings.
struct SweepRoles {
  /// Decides the ranking and the worst setting; nil where no setting has a suitable score.
  var quality: SweepTable.Column?
  /// Indices among the identity's settings.
  var best: Int?
  var worst: Int?
  var current: Int?
  /// The ranked settings, then those without a rank, then incomplete, then failed ones.
  var order: [Int]

  /// - Parameters:
  ///   - chosen: the best setting by the user's choice.
  ///   - measure: the score of that choice. It also decides the ranking, if it has a preference.
  ///   - ranks: by setting; decide the ranking in place of a score, unless nil.
  init(_ table: SweepTable, chosen: Int?, by measure: ScoreKind? = nil, ranks: [Double?]? = nil) {
    let wanted = measure.flatMap { $0.preference == .none ? nil : $0 }
    quality = ([wanted].compactMap { $0 } + ScoreKind.qualities).lazy.compactMap { kind in
      table.place(of: .score(kind)).map { table.columns[$0] }
    }
    .first { !table.means(of: $0.kind).isEmpty }
    var ranked: [(setting: Int, value: Double)] = quality.map { table.means(of: $0.kind) } ?? []
    if let ranks { ranked = ranks.enumerated().compactMap { place, rank in rank.map { (place, $0) } } }
    let isHigher = ranks != nil || quality?.preference == .higher
    ranked.sort { a, b in
      a.value == b.value ? a.setting < b.setting : isHigher ? a.value > b.value : a.value < b.value
    }
    best = chosen ?? ranked.first?.setting
    worst = ranked.last { [best] in $0.setting != best }?.setting
    let last = table.identity.defaultSetting
    current = last.flatMap { table.identity.settings.indices.contains($0) ? $0 : nil }
    let places = Set(ranked.map(\.setting))
    let others = table.rows.filter { !places.contains($0.setting) }
    order = ranked.map(\.setting) + others.filter { $0.state == .done }.map(\.setting)
    order += others.filter { if case .missing = $0.state { true } else { false } }.map(\.setting)
    order += others.filter { if case .failed = $0.state { true } else { false } }.map(\.setting)
  }

  func roles(of setting: Int) -> [ReportPicture.Role] {
    ReportPicture.Role.allCases.filter { self[$0] == setting }
  }

  subscript(_ role: ReportPicture.Role) -> Int? {
    switch role {
    case .best: best
    case .worst: worst
    case .current: current
    }
  }

  /// The best first: curves are drawn in reverse, so it is on top.
  var singledOut: [Int] {
    ReportPicture.Role.inOrder.compactMap { self[$0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension ReportPicture.Role {
  /// In the order in which the page shows them.
  static let inOrder = [best, current, worst]

  var title: String {
    switch self {
    case .best: "Best"
    case .worst: "Worst"
    case .current: "Current"
    }
  }
}
