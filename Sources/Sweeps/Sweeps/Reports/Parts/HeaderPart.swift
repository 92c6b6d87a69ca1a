/// The page's header: what was swept, by which command, and how many runs are done.
struct HeaderPart {
  let table: SweepTable

  static func title(_ identity: SweepIdentity) -> String {
    let over = Figure.counted(identity.recordings.count, "recording")
    guard let last = identity.tried.last else { return "Sweep over \(over)" }
    let names = identity.tried.count > 4 ? ["\(identity.tried.count) parameters"] : identity.tried.dropLast()
    if identity.tried.count > 4 || names.isEmpty { return "Sweep of \(names.first ?? last) over \(over)" }
    return "Sweep of \(names.joined(separator: ", ")) and \(last) over \(over)"
  }

  var html: String {
    let identity = table.identity
    let failedSettings = table.rows.count { if case .failed = $0.state { true } else { false } }
    let doneSettings = table.rows.count { $0.state == .done }
    let missingSettings = table.rows.count - doneSettings - failedSettings
    var text = "<header>\n<div class=\"masthead\"><p class=\"eyebrow\">Retake sweep report</p>\n"
    text += Self.themes + "</div>\n<h1>\(Escaping.html(Self.title(identity)))</h1>\n"
    text += "<ul class=\"facts\">\n"
    text += fact(Figure.count(identity.settings.count), identity.settings.count == 1 ? "setting" : "settings")
    text += fact(Figure.count(doneSettings), "scored", kind: "good")
    text += fact(Figure.count(failedSettings), "failed", kind: failedSettings > 0 ? "bad" : "")
    text += fact(Figure.count(missingSettings), "not complete", kind: missingSettings > 0 ? "bad" : "")
    text += fact("\(Figure.count(table.doneRuns)) of \(Figure.count(runCount))", "runs done")
    text += "</ul>\n"
    if table.missingRuns > 0 {
      text += Markup.paragraph(
        "\(Figure.counted(table.missingRuns, "run")) of \(Figure.count(runCount)) "
          + (table.missingRuns == 1 ? "is" : "are")
          + " not done yet; to continue, run the sweep's command with -o and the results file.", kind: "notice")
    }
    text += "<h2 class=\"small\">Made by</h2>\n<div class=\"command-line\"><pre id=\"sweep-command\"><code>"
    text += Escaping.html(command) + "</code></pre></div>\n"
    text += "<dl class=\"details\">"
    let build = identity.pipelineRevision.map { ", pipeline revision \($0), commit \(identity.commit)" } ?? ""
    text += "<div><dt>Retake</dt><dd>\(Escaping.html(identity.version + build))</dd></div>"
    text += "<div><dt>Preset</dt><dd>\(Markup.code(identity.preset))</dd></div>"
    text +=
      "<div><dt>Scores</dt><dd>\(identity.scores.map { Markup.code($0.name) }.joined(separator: " "))</dd></div>"
    return text + "</dl>\n" + recordings + "</header>\n"
  }

  private var runCount: Int { table.identity.settings.count * table.identity.recordings.count }

  private var command: String {
    let paths = table.identity.recordings.prefix(Markup.mostRows).map { Escaping.shellPath($0.path) }
    return
      (["retake sweep"] + paths + (paths.count < table.identity.recordings.count ? ["…"] : [])
      + (table.identity.words.isEmpty ? [] : [Escaping.inert(table.identity.words)])).joined(separator: " ")
  }

  private func fact(_ value: String, _ name: String, kind: String = "") -> String {
    "<li\(kind.isEmpty ? "" : " class=\"\(kind)\"")><strong>\(Escaping.html(value))</strong> <span>\(Escaping.html(name))</span></li>\n"
  }

  private var recordings: String {
    guard !table.identity.recordings.isEmpty else { return "" }
    var text = "<caption>Recordings</caption><thead><tr><th scope=\"col\">Path</th><th scope=\"col\">Id</th>"
    text +=
      "<th scope=\"col\" class=\"number\">Frames</th><th scope=\"col\">Size</th><th scope=\"col\">Truth</th></tr></thead><tbody>"
    for recording in table.identity.recordings.prefix(Markup.mostRows) {
      let every = recording.every > 1 ? ", one in \(recording.every)" : ""
      let last = max(recording.frames.lowerBound, recording.frames.upperBound - 1)
      text += "<tr><th scope=\"row\">\(Markup.code(recording.path))</th>"
      text += "<td class=\"id\">\(Markup.code(recording.id))</td>"
      text += "<td class=\"number\">\(recording.frames.lowerBound)–\(last)\(every)</td>"
      text +=
        "<td>\(recording.width)&nbsp;×&nbsp;\(recording.height)</td><td class=\"sentence\">\(Escaping.html(truth(recording)))</td></tr>"
    }
    return Markup.table("Recordings", text + Markup.more(than: table.identity.recordings.count, columns: 5))
  }

  private func truth(_ recording: SweepIdentity.Recording) -> String {
    let truth = recording.truth
    if truth == "none" { return truth }
    var text = truth.hasPrefix("folder ") ? "mattes of a folder (\(truth.dropFirst(7)))" : truth
    if truth == "alpha" { text = "its own alpha stream" }
    if let count = recording.truthFrameCount { text += ", \(Figure.counted(count, "frame"))" }
    if let tolerance = recording.boundaryTolerance { text += "; boundary tolerance \(tolerance) px" }
    return text
  }

  private static let themes = """
    <fieldset class="themes"><legend class="hidden">Theme</legend>
    <input type="radio" name="theme" id="theme-system" checked><label for="theme-system">System</label>
    <input type="radio" name="theme" id="theme-light"><label for="theme-light">Light</label>
    <input type="radio" name="theme" id="theme-dark"><label for="theme-dark">Dark</label>
    </fieldset>

    """
}
