import Scores

/// Which settings a report singles out, and the order of all.
struct SweepRoles {
  /// What order and worst are decided by; nil where nothing was scored.
  var quality: SweepTable.Column?
  /// Places among the identity's settings.
  var best: Int?
  var worst: Int?
  var current: Int?
  /// All settings: the best first, then what is not complete, then what failed.
  var order: [Int]

  /// - Parameters:
  ///   - chosen: the best setting by somebody's own choice.
  ///   - measure: what they chose it by; order and worst go by it too, where it says by itself how good a matte is.
  init(_ table: SweepTable, chosen: Int?, by measure: ScoreKind? = nil) {
    let wanted = measure.flatMap { $0.preference == .none ? nil : $0 }
    quality = ([wanted].compactMap { $0 } + ScoreKind.qualities).lazy.compactMap { kind in
      table.place(of: .score(kind)).map { table.columns[$0] }
    }
    .first { !table.means(of: $0.kind).isEmpty }
    var ranked: [(setting: Int, value: Double)] = quality.map { table.means(of: $0.kind) } ?? []
    let isHigher = quality?.preference == .higher
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

  /// The roles of a setting, in the order in which they are listed.
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

  /// Settings with a role, each once, with the best last where lines are drawn over one another.
  var singledOut: [Int] {
    var seen: [Int] = []
    for setting in [best, current, worst] { if let setting, !seen.contains(setting) { seen.append(setting) } }
    return seen
  }
}

extension ReportPicture.Role {
  var title: String {
    switch self {
    case .best: "Best"
    case .worst: "Worst"
    case .current: "Current"
    }
  }
}
