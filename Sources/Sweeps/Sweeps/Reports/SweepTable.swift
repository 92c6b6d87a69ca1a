import Scores
import Support

/// All settings of a sweep with their scores, for each recording and as means.
package struct SweepTable {
  package struct Column: Hashable {
    package enum Kind: Hashable {
      case score(ScoreKind)
      /// Milliseconds of CPU time a frame.
      case cost
      /// Frames without a matte, in per cent.
      case gaps
    }
    var kind: Kind
    var decimals = 3

    package init(kind: Kind, decimals: Int = 3) {
      (self.kind, self.decimals) = (kind, decimals)
    }
  }

  enum State: Hashable {
    case done
    case failed(String)
    case missing(String)
  }

  struct Row {
    /// Index among the identity's settings.
    var setting: Int
    var tried: [String]
    var state: State
    /// For each column, the mean over the recordings. All nil unless every recording was scored.
    var means: [Double?]
    /// For each recording, one value for each column; empty where the run was not scored.
    var each: [[Double?]]
    /// Nanoseconds per frame, mean over the recordings.
    var cost: StageCost?
  }

  let identity: SweepIdentity
  var columns: [Column]
  var rows: [Row]
  var doneRuns = 0
  var failedRuns = 0

  var missingRuns: Int { identity.settings.count * identity.recordings.count - doneRuns - failedRuns }

  init(_ identity: SweepIdentity, _ summaries: [RunSummary]) {
    self.identity = identity
    columns = identity.scores.map { Column(kind: .score($0)) } + [Column(kind: .cost), Column(kind: .gaps)]
    let means = SettingMeans(summaries, identity)
    rows = []
    for setting in identity.settings.indices {
      let runs = identity.recordings.map { means.run(RunKey(setting: setting, recording: $0.number)) }
      var row = Self.row(setting, runs, identity, columns)
      row.means = columns.indices.map { place in
        switch columns[place].kind {
        case .score(let score): means.value(.score(score), of: setting).flatMap { $0.isFinite ? $0 : nil }
        case .cost: means.value(.cost, of: setting).flatMap { $0.isFinite ? $0 : nil }
        case .gaps: row.state == .done ? Self.mean(row.each.map { $0[place] }) : nil
        }
      }
      rows.append(row)
      for case let run? in runs {
        if case .scored = run.outcome { doneRuns += 1 } else { failedRuns += 1 }
      }
    }
    // A score without any value gets no column.
    let kept = columns.indices.filter { place in
      rows.contains { row in row.means[place] != nil || row.each.contains { !$0.isEmpty && $0[place] != nil } }
    }
    columns = kept.map { columns[$0] }
    for place in rows.indices {
      rows[place].means = kept.map { [means = rows[place].means] in means[$0] }
      rows[place].each = rows[place].each.map { values in values.isEmpty ? [] : kept.map { values[$0] } }
    }
    for place in columns.indices {
      let means = rows.compactMap { $0.means[place] }
      let values = means.isEmpty ? rows.flatMap { $0.each.compactMap { $0.isEmpty ? nil : $0[place] } } : means
      columns[place].decimals = columns[place].kind == .gaps ? 1 : Figure.decimals(for: values)
    }
  }

  private static func row(_ setting: Int, _ runs: [RunSummary?], _ identity: SweepIdentity, _ columns: [Column]) -> Row
  {
    let parameters = identity.settings[setting].parameters
    let tried = identity.tried.map { name in parameters.first { $0.name == name }?.value ?? "" }
    var row = Row(setting: setting, tried: tried, state: .done, means: [], each: [], cost: nil)
    var failed: [(error: String, path: String)] = []
    var unrun: [String] = []
    for (recording, run) in zip(identity.recordings, runs) {
      switch run?.outcome {
      case .scored(let scores): row.each.append(columns.map { value($0.kind, scores, run) })
      case .failed(let error):
        failed.append((error, recording.path))
        row.each.append([])
      case nil:
        unrun.append(recording.path)
        row.each.append([])
      }
    }
    row.cost = mean(runs.compactMap { $0?.cost })
    // An error that several recordings share is listed once.
    let failures = failed.grouped(by: \.error, \.path)
    if !failures.isEmpty {
      let isEverywhere = failures.count == 1 && failed.count == runs.count
      row.state = .failed(
        isEverywhere
          ? failures[0].key : failures.map { "Over \($1.joined(separator: ", ")): \($0)" }.joined(separator: " "))
    } else if !unrun.isEmpty {
      row.state = .missing(
        unrun.count == runs.count ? "Not run yet." : "Not run yet over \(unrun.joined(separator: ", ")).")
    }
    return row
  }

  private static func value(_ kind: Column.Kind, _ scores: ScoreRow, _ run: RunSummary?) -> Double? {
    let value: Double? =
      switch kind {
      case .score(let score): scores[score]
      case .cost: run?.cost?.milliseconds
      case .gaps: run.flatMap { $0.frameCount > 0 ? 100 * Double($0.missingCount) / Double($0.frameCount) : nil }
      }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func mean(_ values: [Double?]) -> Double? {
    let present = values.compactMap { $0 }
    return present.isEmpty ? nil : present.reduce(0, +) / Double(present.count)
  }

  private static func mean(_ costs: [StageCost]) -> StageCost? {
    let finite = costs.filter { $0.total.isFinite }
    guard !finite.isEmpty else { return nil }
    let count = Double(finite.count)
    return StageCost(
      color: finite.reduce(0) { $0 + $1.color } / count, depth: finite.reduce(0) { $0 + $1.depth } / count,
      mask: finite.reduce(0) { $0 + $1.mask } / count, matte: finite.reduce(0) { $0 + $1.matte } / count)
  }

  func place(of kind: Column.Kind) -> Int? { columns.firstIndex { $0.kind == kind } }

  /// Only settings that were scored over every recording, since only these are comparable.
  func means(of kind: Column.Kind) -> [(setting: Int, value: Double)] {
    guard let place = place(of: kind) else { return [] }
    return rows.compactMap { row in
      guard row.state == .done, let value = row.means[place] else { return nil }
      return (row.setting, value)
    }
  }
}

extension SweepTable {
  /// The settings that have both measures.
  func points(_ quality: Column, _ price: Column.Kind) -> [ParetoFront.Point] {
    let prices = [Int: Double](uniqueKeysWithValues: means(of: price).map { ($0.setting, $0.value) })
    return means(of: quality.kind).compactMap { mean in
      prices[mean.setting].map { ParetoFront.Point(setting: mean.setting, x: $0, y: mean.value) }
    }
  }
}

extension SweepTable.Column {
  package var name: String {
    switch kind {
    case .score(let score): score.name
    case .cost: "cost"
    case .gaps: "no matte"
    }
  }

  package var unit: String {
    switch kind {
    case .score(let score): score.unit
    case .cost: "ms/frame"
    case .gaps: "% of frames"
    }
  }

  package var help: String {
    switch kind {
    case .score(let score): score.help
    case .cost:
      "CPU time of the setting's stages, as if it shared none with other settings; measured, so it varies between runs"
    case .gaps: "frames without a matte; they are scored as empty mattes"
    }
  }

  package var preference: ScoreKind.Preference {
    switch kind {
    case .score(let score): score.preference
    case .cost, .gaps: .lower
    }
  }

  /// Such as "higher is better"; empty if neither is.
  var direction: String {
    switch preference {
    case .higher: "higher is better"
    case .lower: "lower is better"
    case .none: ""
    }
  }

  var arrow: String {
    switch preference {
    case .higher: "↑"
    case .lower: "↓"
    case .none: ""
    }
  }

  /// More decimals than are shown, for sorting.
  var scriptDecimals: Int { decimals + 4 }

  /// Rounds to the script's decimals first, so that page and script show the same last digit.
  func text(_ value: Double?) -> String {
    guard let value else { return "–" }
    let power = Figure.power(scriptDecimals)
    let given = (value * power).rounded(.toNearestOrAwayFromZero) / power
    return Figure.fixed(given.isFinite ? given : value, decimals)
  }

  /// Such as "iou (↑ higher is better)".
  var axisTitle: String {
    let start = unit.isEmpty ? name : "\(name), \(unit)"
    return direction.isEmpty ? start : "\(start) (\(arrow) \(direction))"
  }
}
