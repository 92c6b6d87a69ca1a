import Scores
import Support

/// Trade-offs, parameter effects and curves over frames, each with a choice of score.
struct PlotsPart {
  let table: SweepTable
  let roles: SweepRoles

  static let mostRecordings = 8
  private static let curveBytes = 1_600_000
  private static let mostParameters = 60
  /// Limit for the dots of the trade-offs, and again of the effects; a dot takes about 12.
  private static let dotBytes = 900_000
  /// The number of effect plots; each takes about 6,000 bytes besides its dots.
  private static let effectPlots = 150

  /// Columns with values, the default quality first.
  private var ordered: [SweepTable.Column] {
    let usable = table.columns.filter { !table.means(of: $0.kind).isEmpty }
    guard let quality = roles.quality else { return usable }
    return [quality] + usable.filter { $0.kind != quality.kind }
  }

  // MARK: Trade-offs

  var tradeOffs: String {
    let prices: [SweepTable.Column] = [.score(.flicker), .cost].compactMap { kind in
      table.place(of: kind).map { table.columns[$0] }
    }
    let mostDots = max(150, Self.dotBytes / 12 / max(1, prices.count * table.columns.count))
    let options = ordered.compactMap { column -> (name: String, help: String, panel: String)? in
      guard column.preference != .none, case .score(let score) = column.kind, score != .flicker else { return nil }
      let figures = prices.compactMap { price in
        ParetoPlot(table: table, roles: roles, quality: column, price: price, mostDots: mostDots).figure()
      }
      return Self.option(column, figures)
    }
    guard !options.isEmpty else { return "" }
    let more = [
      (Markup.symbol("<circle class=\"front-point\" r=\"4.5\"/>"), "on the Pareto front: no setting is better in both"),
      (Markup.symbol("<path class=\"dots\" d=\"M0 0h0\"/>"), "any other setting"),
    ]
    return Markup.section(
      "trade-offs", "What quality costs",
      Markup.legend(shownRoles, more) + Markup.choice("quality", "Quality", options))
  }

  // MARK: Effects

  var effects: String {
    guard !table.identity.tried.isEmpty else { return "" }
    let parameters = table.identity.tried.indices.prefix(Self.mostParameters)
    let columns = ordered.prefix(max(2, Self.effectPlots / parameters.count))
    let mostDots = max(150, Self.dotBytes / 12 / max(1, columns.count * parameters.count))
    let options = columns.compactMap { column -> (name: String, help: String, panel: String)? in
      let figures = parameters.compactMap {
        EffectPlot(table: table, roles: roles, parameter: $0, column: column, mostDots: mostDots).figure()
      }
      return Self.option(column, figures)
    }
    guard !options.isEmpty else { return "" }
    let single = table.identity.tried.indices.filter { place in Set(table.rows.map { $0.tried[place] }).count < 2 }
    let more = [
      (
        Markup.symbol(
          "<path class=\"range\" d=\"M0-8V8M-4-8H4M-4 8H4\"/><path class=\"mean\" d=\"M0-5L5 0 0 5-5 0Z\"/>"),
        "mean, minimum and maximum of all settings with that value"
      ),
      (Markup.symbol("<path class=\"dots\" d=\"M0 0h0\"/>"), "a setting"),
    ]
    var body = Markup.legend(shownRoles.filter { $0 != .worst }, more)
    if !single.isEmpty {
      let names = single.map { table.identity.tried[$0] }.joined(separator: ", ")
      body += Markup.paragraph("Only one value of \(names) was tried, so there is no effect to show.", kind: "quiet")
    }
    if parameters.count < table.identity.tried.count {
      body += Markup.paragraph(
        "Plots are of the first \(parameters.count) of \(table.identity.tried.count) parameters.", kind: "quiet")
    }
    return Markup.section("effects", "Effect of each parameter", body + Markup.choice("effect", "Score", options))
  }

  // MARK: Frames

  func frames(_ read: (RunKey) throws(RetakeError) -> [ScoredFrame]) throws(RetakeError) -> String {
    let recordings = table.identity.recordings.prefix(Self.mostRecordings)
    let scores = ordered.compactMap { column -> (SweepTable.Column, ScoreKind)? in
      guard case .score(let score) = column.kind, score.isOfFrames else { return nil }
      return (column, score)
    }
    guard !scores.isEmpty, !recordings.isEmpty else { return "" }
    let columnCount = min(450, max(60, Self.curveBytes / (scores.count * recordings.count * 3 * 24)))
    var panels = [String](repeating: "", count: scores.count)
    for recording in recordings {
      var curves: [CurvePlot.Curve] = []
      for setting in roles.singledOut where !table.rows[setting].each[place(recording)].isEmpty {
        let key = RunKey(setting: table.identity.settings[setting].number, recording: recording.number)
        let frames = try read(key).sorted { $0.number < $1.number }
        if !frames.isEmpty { curves.append(.init(roles: roles.roles(of: setting), frames: frames)) }
      }
      for (index, (column, score)) in scores.enumerated() {
        let own = CurvePlot(
          column: Self.ofFrames(column, score, curves), score: score, curves: curves, columnCount: columnCount)
        panels[index] += own.figure(over: recording.path) ?? ""
      }
    }
    let options = zip(scores, panels).filter { !$1.isEmpty }.map { score, panel in
      (name: score.0.name, help: score.0.help, panel: panel)
    }
    guard !options.isEmpty else { return "" }
    var body = Markup.legendOfCurves(shownRoles)
    if table.identity.recordings.count > recordings.count {
      body += Markup.paragraph(
        "Curves are of the first \(recordings.count) of \(Figure.counted(table.identity.recordings.count, "recording")).",
        kind: "quiet")
    }
    return Markup.section("frames", "From frame to frame", body + Markup.choice("curve", "Score", options))
  }

  /// Nil without figures.
  private static func option(
    _ column: SweepTable.Column, _ figures: [String]
  ) -> (name: String, help: String, panel: String)? {
    guard !figures.isEmpty else { return nil }
    return (column.name, column.help, "<div class=\"plots\">\(figures.joined(separator: "\n"))</div>")
  }

  private func place(_ recording: SweepIdentity.Recording) -> Int {
    table.identity.recordings.firstIndex { $0.number == recording.number } ?? 0
  }

  /// Frames vary more than means over recordings do, so they need fewer decimals.
  private static func ofFrames(_ column: SweepTable.Column, _ score: ScoreKind, _ curves: [CurvePlot.Curve])
    -> SweepTable.Column
  {
    var column = column
    column.decimals = Figure.decimals(
      for: curves.flatMap { $0.frames.compactMap { $0.scores[score] } }.filter(\.isFinite))
    return column
  }

  private var shownRoles: [ReportPicture.Role] {
    ReportPicture.Role.inOrder.filter { roles[$0] != nil }
  }
}

extension Markup {
  static func legendOfCurves(_ roles: [ReportPicture.Role]) -> String {
    let items = roles.map { role in
      "<li><svg class=\"symbol long\" viewBox=\"0 0 36 18\" aria-hidden=\"true\"><path class=\"curve \(role.rawValue)\" d=\"M2 9H34\"/></svg>"
        + "\(role.title.lowercased())</li>"
    }
    return "<ul class=\"legend\">" + items.joined()
      + "<li><svg class=\"symbol long\" viewBox=\"0 0 36 18\" aria-hidden=\"true\"><rect class=\"gap\" width=\"36\" height=\"18\"/></svg>"
      + "no matte: scored as an empty one, not drawn; the stripes below show the setting</li></ul>\n"
  }
}
