import Scores

/// Every setting that a search touched, with the frames that it was scored on.
struct SearchedPart {
  let table: SweepTable
  let settings: [SearchedSetting]

  var html: String {
    // Where all were scored on all frames, they are the settings above.
    guard let first = settings.first, settings.contains(where: { $0.parts.contains { !$0.isWhole } }) else { return "" }
    let names = first.values.map(\.name)
    let tried = table.identity.tried.filter(names.contains)
    let scores = table.columns.compactMap { column -> (column: SweepTable.Column, score: ScoreKind)? in
      guard case .score(let score) = column.kind, first.parts.contains(where: { $0.score == score }) else { return nil }
      return (column, score)
    }
    let shown = settings.sorted { a, b in
      a.frameCount == b.frameCount ? a.number < b.number : a.frameCount > b.frameCount
    }
    var text = "<thead><tr>"
    for name in tried { text += "<th scope=\"col\" class=\"number\">\(Markup.code(name))</th>" }
    text += "<th scope=\"col\" class=\"number\">Frames</th>"
    for (column, _) in scores {
      text += "<th scope=\"col\" class=\"number\">\(Escaping.html(column.name)) \(VerdictPart.arrow(column))</th>"
    }
    text += "</tr></thead>\n<tbody>"
    for setting in shown.prefix(Markup.mostRows) {
      text += "<tr>"
      for name in tried {
        let value = setting.values.first { $0.name == name }?.value ?? ""
        text += "<td class=\"number\">\(Escaping.html(value))</td>"
      }
      text += "<td class=\"number\">\(Figure.count(setting.frameCount))</td>"
      for (column, score) in scores { text += "<td class=\"number\">\(column.text(setting.mean(score)))</td>" }
      text += "</tr>\n"
    }
    text += Markup.more(than: shown.count, columns: tried.count + scores.count + 1)
    let sentence =
      "The search scored \(Figure.counted(shown.count, "setting")), most of them on a few frames only, which is enough "
      + "to drop the worst. Only values of equally many frames compare; the settings above were scored on all frames."
    return Markup.section(
      "searched", "Searched settings",
      Markup.paragraph(sentence, kind: "quiet") + Markup.table("Searched settings", text))
  }
}
