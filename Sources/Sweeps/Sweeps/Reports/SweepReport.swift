import Scores
import Support

/// A sweep's results as one HTML page without network access or other files.
///
/// Equal results give equal bytes. Only sorting and values at points need the script.
package struct SweepReport: Sendable {
  package let html: String

  /// - Parameters:
  ///   - frames: reads a run's frames; called for the best, the worst and the current setting only.
  ///   - choice: selects the best setting; nil for the highest quality. Without any setting within
  ///     its limits the page says so, and shows the one for nil.
  ///   - searched: of a search, the settings that it touched.
  ///   - presetValues: the preset's own values, which commands need not set; nil if unknown.
  /// - Throws: what `frames` throws; `.usage` for a choice by a score that the sweep does not have.
  package init(
    _ identity: SweepIdentity, _ summaries: [RunSummary], frames: (RunKey) throws(RetakeError) -> [ScoredFrame],
    pictures: [ReportPicture], choice: SweepChoice?, presetValues: [SweepIdentity.Assignment]? = nil,
    searched: [SearchedSetting] = []
  ) throws(RetakeError) {
    let table = SweepTable(identity, summaries)
    let chosen = try ReportChoice(choice, summaries, identity)
    let roles = SweepRoles(table, chosen: chosen.setting, by: chosen.score, ranks: chosen.ranks)
    let words = ReplayWords(identity, presetValues: presetValues)
    let plots = PlotsPart(table: table, roles: roles)
    let parts = [
      VerdictPart(table: table, roles: roles, reason: chosen.reason(roles)).html,
      PicturesPart(table: table, pictures: pictures).html,
      plots.tradeOffs,
      TablePart(table: table, roles: roles, words: words, front: Self.front(table, roles)).html,
      SearchedPart(table: table, settings: searched).html,
      plots.effects,
      try plots.frames(frames),
      EachRecordingPart(table: table, roles: roles).html,
      EachRecordingPart(table: table, roles: roles).absences,
    ]
    html = Self.page(HeaderPart.title(identity), HeaderPart(table: table).html, parts.filter { !$0.isEmpty })
  }

  /// The settings that a report singles out, as indices among the identity's settings. A setting
  /// may have two roles.
  /// - Throws: `.usage` for a choice by a score that the sweep does not have.
  package static func roles(_ identity: SweepIdentity, _ summaries: [RunSummary], choice: SweepChoice?)
    throws(RetakeError) -> [(role: ReportPicture.Role, setting: Int)]
  {
    let chosen = try ReportChoice(choice, summaries, identity)
    let roles = SweepRoles(
      SweepTable(identity, summaries), chosen: chosen.setting, by: chosen.score, ranks: chosen.ranks)
    return ReportPicture.Role.allCases.compactMap { role in roles[role].map { (role, $0) } }
  }

  /// Settings on the default quality's Pareto fronts against flicker and against cost.
  private static func front(_ table: SweepTable, _ roles: SweepRoles) -> Set<Int> {
    guard let quality = roles.quality else { return [] }
    let prices = [SweepTable.Column.Kind.score(.flicker), .cost].filter { $0 != quality.kind }
    return Set(prices.flatMap { ParetoFront.of(table.points(quality, $0), quality.preference).map(\.setting) })
  }

  private static func page(_ title: String, _ header: String, _ parts: [String]) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Escaping.html(PageFiles.policy))">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <link rel="icon" href="data:,">
    <title>\(Escaping.html(title))</title>
    <style>\(PageFiles.style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the results</a>
    \(header)\(contents(parts))<main id="main" tabindex="-1">
    \(parts.joined(separator: "\n"))</main>
    <div id="tip" role="tooltip" hidden></div>
    <script>\(PageFiles.script)</script>
    </body>
    </html>

    """
  }

  private static func contents(_ parts: [String]) -> String {
    let names = [
      ("best", "Best setting"), ("pictures", "Pictures"), ("trade-offs", "Trade-offs"), ("settings", "All settings"),
      ("searched", "Searched settings"),
      ("effects", "Parameters"), ("frames", "Frames"), ("recordings", "Each recording"), ("absent", "Absent scores"),
    ].filter { id, _ in parts.contains { $0.hasPrefix("<section id=\"\(id)\"") } }
    return "<nav aria-label=\"Parts of this page\"><ul>"
      + names.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" }.joined() + "</ul></nav>\n"
  }
}
