/// Results by recording, and scores that a recording cannot have.
struct EachRecordingPart {
  let table: SweepTable
  let roles: SweepRoles

  var html: String {
    guard table.identity.recordings.count > 1, let quality = roles.quality, let place = table.place(of: quality.kind)
    else { return "" }
    let shown = ReportPicture.Role.inOrder.compactMap { role in roles[role].map { (role: role, setting: $0) } }
    var text = "<caption>\(Escaping.html(quality.name)) \(VerdictPart.arrow(quality)) over each recording</caption>"
    text += "<thead><tr><th scope=\"col\">Recording</th>"
    for one in shown { text += "<th scope=\"col\" class=\"number\">\(Markup.badge(one.role))</th>" }
    text += "<th scope=\"col\" class=\"number\">Best of this recording</th></tr></thead><tbody>"
    for (index, recording) in table.identity.recordings.prefix(Markup.mostRows).enumerated() {
      func value(_ setting: Int) -> Double? {
        let values = table.rows[setting].each[index]
        return values.isEmpty ? nil : values[place]
      }
      text += "<tr><th scope=\"row\">\(Markup.code(recording.path))</th>"
      for one in shown { text += "<td class=\"number\">\(quality.text(value(one.setting)))</td>" }
      let values = table.rows.compactMap { row in value(row.setting).map { (setting: row.setting, value: $0) } }
      let winner = values.min { a, b in
        a.value == b.value
          ? a.setting < b.setting : quality.preference == .higher ? a.value > b.value : a.value < b.value
      }
      let own = winner.map {
        "\(quality.text($0.value)) <span class=\"quiet\">setting \(table.identity.settings[$0.setting].number)</span>"
      }
      text += "<td class=\"number\">\(own ?? "–")</td></tr>"
    }
    text += Markup.more(than: table.identity.recordings.count, columns: shown.count + 2)
    return Markup.section("recordings", "Each recording", Markup.table("Each recording", text))
  }

  var absences: String {
    let lines = table.identity.recordings.flatMap { recording in
      recording.absences.map { (score: $0.score, reason: $0.reason, recording: recording.path) }
    }
    guard !lines.isEmpty else { return "" }
    var text =
      "<thead><tr><th scope=\"col\">Score</th><th scope=\"col\">Recording</th><th scope=\"col\">Why it is absent</th></tr></thead><tbody>"
    for line in lines.prefix(Markup.mostRows) {
      text += "<tr><th scope=\"row\">\(Markup.code(line.score.name))</th><td>\(Markup.code(line.recording))</td>"
      text += "<td class=\"sentence\">\(Escaping.html(line.reason))</td></tr>"
    }
    text += Markup.more(than: lines.count, columns: 3)
    return Markup.section("absent", "Scores that are absent", Markup.table("Scores that are absent", text))
  }
}
