/// The first rows as HTML, and all rows (up to a limit) as JSON for the page's script.
struct TablePart {
  let table: SweepTable
  let roles: SweepRoles
  let words: ReplayWords
  /// Settings on a Pareto front of the default quality.
  let front: Set<Int>

  static let rowCount = 50
  /// Limit for rows in the JSON; the results file has all settings.
  static let mostRows = 4000
  private static let rowBytes = 1_600_000
  /// Limit in bytes for the commands of an HTML row.
  private static let commandLength = 6000
  /// Scores of single recordings are in the JSON only up to this many values.
  static let mostValues = 80_000

  private var rowLimit: Int {
    let size = 40 * table.identity.tried.count + 16 * table.columns.count + 40
    return max(Self.rowCount, min(Self.mostRows, Self.rowBytes / size))
  }

  private var hasEach: Bool {
    let count = table.identity.recordings.count
    return count > 1 && count * min(table.rows.count, rowLimit) * table.columns.count <= Self.mostValues
  }

  var html: String {
    var body = "<p class=\"quiet\">\(Escaping.html(order))</p>\n"
    body += "<div id=\"table-controls\" class=\"controls\" hidden></div>\n"
    body += "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-labelledby=\"settings-title\">"
    body += "<table id=\"settings-table\" class=\"settings\"><thead><tr>\(heads)</tr></thead>\n<tbody>"
    for (rank, setting) in roles.order.prefix(Self.rowCount).enumerated() { body += row(rank + 1, table.rows[setting]) }
    body += "</tbody></table></div>\n"
    if table.rows.count > Self.rowCount {
      body += "<p class=\"quiet\" id=\"table-end\">"
      body +=
        "The first \(Self.rowCount) of \(Figure.counted(table.rows.count, "setting")); more are shown with scripts enabled.</p>\n"
    }
    if table.rows.count > rowLimit {
      body += Markup.paragraph(
        "Of \(Figure.counted(table.rows.count, "setting")), the first \(Figure.count(rowLimit)) are on this page; "
          + "all are in the results file.", kind: "quiet")
    }
    body += "<p id=\"table-status\" class=\"quiet\" role=\"status\"></p>\n"
    body += "<script type=\"application/json\" id=\"data\">\(data)</script>\n"
    return Markup.section("settings", "All settings", body)
  }

  private var order: String {
    let means = table.identity.recordings.count > 1 ? " Scores are means over the recordings." : ""
    guard let quality = roles.quality else { return "In the order in which they were tried." + means }
    return "Ranked by \(quality.name), \(quality.direction)." + means
  }

  private var heads: String {
    var text = "<th scope=\"col\" class=\"number\">Rank</th><th scope=\"col\">Setting</th>"
    for name in table.identity.tried { text += "<th scope=\"col\" class=\"number\">\(Markup.code(name))</th>" }
    for column in table.columns {
      text +=
        "<th scope=\"col\" class=\"number\" title=\"\(Escaping.html(column.help))\">\(Escaping.html(column.name)) "
      text += VerdictPart.arrow(column)
      text += column.unit.isEmpty ? "</th>" : "<br><span class=\"quiet\">\(Escaping.html(column.unit))</span></th>"
    }
    if table.columns.isEmpty { text += "<th scope=\"col\">Result</th>" }
    return text + "<th scope=\"col\">Reproduce</th>"
  }

  private func row(_ rank: Int, _ row: SweepTable.Row) -> String {
    let setting = table.identity.settings[row.setting]
    let own = roles.roles(of: row.setting)
    var text = "<tr data-setting=\"\(row.setting)\"\(own.first.map { " class=\"\($0.rawValue)\"" } ?? "")>"
    text += "<td class=\"number\">\(rank)</td><th scope=\"row\">\(setting.number)"
    text += own.map { " " + Markup.badge($0) }.joined()
    if front.contains(row.setting) { text += " <span class=\"badge front\">front</span>" }
    text += "</th>"
    for value in row.tried { text += "<td class=\"number\">\(Escaping.html(value))</td>" }
    switch row.state {
    case .done:
      for (column, value) in zip(table.columns, row.means) { text += "<td class=\"number\">\(column.text(value))</td>" }
    case .failed(let error): text += problem("failed", error)
    case .missing(let what): text += problem("missing", what)
    }
    text += "<td class=\"command\"><details><summary>Command</summary><pre><code>"
    return text
      + "\(Escaping.html(words.commands(setting, atMost: Self.commandLength)))</code></pre></details></td></tr>\n"
  }

  private func problem(_ kind: String, _ text: String) -> String {
    return
      "<td class=\"problem \(kind)\" colspan=\"\(max(1, table.columns.count))\"><div><strong>\(kind == "failed" ? "Failed." : "Not complete.")"
      + "</strong> \(Escaping.html(Markup.shortened(text)))</div></td>"
  }

  // MARK: What the script is given.

  private var data: String {
    var parts: [String] = []
    parts.append("\"tried\":" + list(table.identity.tried.map(Escaping.json)))
    parts.append("\"numeric\":" + list(table.identity.tried.indices.map { isNumeric($0) ? "1" : "0" }))
    let columns = table.columns.map { column in
      let better = column.preference == .higher ? 1 : column.preference == .lower ? -1 : 0
      return "{\"name\":\(Escaping.json(column.name)),\"unit\":\(Escaping.json(column.unit)),"
        + "\"help\":\(Escaping.json(column.help)),\"decimals\":\(column.decimals),\"better\":\(better)}"
    }
    parts.append("\"columns\":" + list(columns))
    parts.append("\"recordings\":" + list(hasEach ? table.identity.recordings.map { Escaping.json($0.path) } : []))
    parts.append("\"before\":" + list(words.before.map(Escaping.json)))
    parts.append("\"spans\":" + list(words.recordings.map { Escaping.json(words.span($0)) }))
    parts.append("\"after\":" + list(words.after.map(Escaping.json)))
    parts.append("\"front\":" + list(front.sorted().map(String.init)))
    let named = ReportPicture.Role.allCases.compactMap { role in roles[role].map { "\"\(role.rawValue)\":\($0)" } }
    parts.append("\"roles\":{\(named.joined(separator: ","))}")
    parts.append("\"rows\":[\n" + given.map { json(table.rows[$0]) }.joined(separator: ",\n") + "\n]")
    return "{" + parts.joined(separator: ",\n") + "}"
  }

  /// The first settings by rank, then other singled-out ones.
  private var given: [Int] {
    let first = Array(roles.order.prefix(rowLimit))
    return first + roles.singledOut.filter { [first = Set(first)] in !first.contains($0) }
  }

  private func json(_ row: SweepTable.Row) -> String {
    let setting = table.identity.settings[row.setting]
    var text = "{\"i\":\(row.setting),\"n\":\(setting.number),\"t\":\(list(row.tried.map(Escaping.json))),"
    switch row.state {
    case .done: text += "\"s\":0"
    case .failed(let error): text += "\"s\":1,\"e\":\(Escaping.json(Markup.shortened(error)))"
    case .missing(let what): text += "\"s\":2,\"e\":\(Escaping.json(Markup.shortened(what)))"
    }
    text += ",\"m\":\(numbers(row.means))"
    if hasEach { text += ",\"r\":" + list(row.each.map(numbers)) }
    return text + ",\"c\":\(Escaping.json(words.sets(setting)))}"
  }

  private func numbers(_ values: [Double?]) -> String {
    list(
      zip(table.columns, values).map { column, value in value.map { Figure.json($0, column.scriptDecimals) } ?? "null" }
    )
  }

  private func isNumeric(_ place: Int) -> Bool { table.rows.allSatisfy { Figure.number($0.tried[place]) != nil } }

  private func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
}
