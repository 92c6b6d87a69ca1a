/// Compares the best setting with the current and the worst one: scores, changes and cost.
struct VerdictPart {
  let table: SweepTable
  let roles: SweepRoles
  let reason: String

  var html: String {
    guard let best = roles.best else {
      return Markup.section(
        "best", "Best setting",
        Markup.paragraph(
          table.rows.contains { $0.state == .done }
            ? "No setting has a score that measures quality." : "No setting was scored over every recording."))
    }
    let row = table.rows[best]
    var body = "<p class=\"answer\">Setting <strong>\(table.identity.settings[best].number)</strong>"
    let tried = zip(table.identity.tried, row.tried).map { "<code>\(Escaping.html("\($0)=\($1)"))</code>" }
    body += (tried.isEmpty ? "" : ": " + tried.joined(separator: " ")) + "</p>\n"
    body += Markup.paragraph(sentence, kind: "quiet")
    body += comparison(best)
    return Markup.section("best", "Best setting", body)
  }

  private var sentence: String {
    var text = reason
    if roles.current == nil {
      text += " The unchanged preset is not one of the settings that were scored, so there is no comparison with it."
    } else if roles.current == roles.best {
      let isAlone = table.rows.count { $0.state == .done } == 1
      text += " It is the current setting: " + (isAlone ? "no other was scored on all frames." : "no other is better.")
    }
    return text
  }

  private func comparison(_ best: Int) -> String {
    let current = roles.current == best ? nil : roles.current
    let others = roles.singledOut
    var text = "<thead><tr><td></td>"
    for other in others {
      text +=
        "<th scope=\"col\" class=\"number\">\(roles.roles(of: other).map(Markup.badge).joined(separator: " ")) "
      text += "<span class=\"quiet\">setting \(table.identity.settings[other].number)</span></th>"
      if other == roles.best, current != nil {
        text += "<th scope=\"col\" class=\"number\">Change <span class=\"quiet\">from current</span></th>"
      }
    }
    text += "</tr></thead>\n<tbody>"
    for (place, name) in table.identity.tried.enumerated() {
      text += "<tr><th scope=\"row\">\(Markup.code(name))</th>"
      for other in others {
        text += "<td class=\"number\">\(Escaping.html(table.rows[other].tried[place]))</td>"
        if other == roles.best, current != nil { text += "<td></td>" }
      }
      text += "</tr>\n"
    }
    text += "</tbody>\n<tbody>"
    for (place, column) in table.columns.enumerated() {
      text += line(place, column, others, current)
      if column.kind == .cost { text += costs(others, current) }
    }
    return Markup.table("Best, current and worst setting", kind: "plain verdict", text)
  }

  private func line(
    _ place: Int, _ column: SweepTable.Column, _ others: [Int], _ current: Int?
  ) -> String {
    let unit = column.unit.isEmpty ? "" : " <span class=\"quiet\">\(Escaping.html(column.unit))</span>"
    var text = "<tr><th scope=\"row\" title=\"\(Escaping.html(column.help))\">\(Escaping.html(column.name)) "
    text += "\(Self.arrow(column))\(unit)</th>"
    for other in others {
      let value = table.rows[other].means[place]
      text += "<td class=\"number\">\(column.text(value))</td>"
      if other == roles.best, let current { text += change(column, value, table.rows[current].means[place]) }
    }
    return text + "</tr>\n"
  }

  private func change(_ column: SweepTable.Column, _ best: Double?, _ current: Double?) -> String {
    guard let best, let current else { return "<td class=\"number\">–</td>" }
    let change = best - current
    let text = Figure.signed(change, column.decimals)
    guard column.preference != .none, text.contains(where: { "123456789".contains($0) }) else {
      return "<td class=\"number quiet\">\(text)</td>"
    }
    let isBetter = (change > 0) == (column.preference == .higher)
    return
      "<td class=\"number \(isBetter ? "better" : "worse")\">\(text) <span>\(isBetter ? "better" : "worse")</span></td>"
  }

  private func costs(_ others: [Int], _ current: Int?) -> String {
    guard others.contains(where: { table.rows[$0].cost != nil }) else { return "" }
    let stages: [(name: String, KeyPath<StageCost, Double>)] = [
      ("colour", \.color), ("depth", \.depth), ("mask", \.mask), ("matte", \.matte),
    ]
    return stages.map { stage in
      var text = "<tr class=\"part\"><th scope=\"row\">of which \(stage.name)</th>"
      for other in others {
        let value = table.rows[other].cost.map { Figure.fixed($0[keyPath: stage.1] / 1e6, 2) } ?? "–"
        text += "<td class=\"number\">\(value)</td>"
        if other == roles.best, current != nil { text += "<td></td>" }
      }
      return text + "</tr>\n"
    }.joined()
  }

  static func arrow(_ column: SweepTable.Column) -> String {
    column.direction.isEmpty
      ? ""
      : "<span class=\"arrow\" title=\"\(column.direction)\" aria-label=\"\(column.direction)\" role=\"img\">\(column.arrow)</span>"
  }
}
