import ArgumentParser
import Scores
import Support
import Sweeps

struct SweepTableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Prints a sweep's settings and scores as a table, CSV or JSON.",
    discussion: """
      retake sweep table session-sweep.sqlite
      retake sweep table session-sweep.sqlite --csv > runs.csv
      retake sweep table session-sweep.sqlite --frames --csv > frames.csv
      retake sweep table session-sweep.sqlite --searched --csv > searched.csv
      retake sweep table session-sweep.sqlite --json | jq '.[] | select(.iou > 0.9)'

      One line per setting and recording, or with --frames per frame of each; JSON of frames has one object per line. \
      In Python: pandas.read_sql("SELECT * FROM result", sqlite3.connect("session-sweep.sqlite")).
      """)

  @Argument(help: ArgumentHelp("A sweep's results.", valueName: "results"), completion: .results) var results: String
  @Flag(help: "Print CSV, with all digits.") var csv = false
  @Flag(help: "Print JSON, with all digits.") var json = false
  @Flag(help: "With --csv or --json, print every frame of every run.") var frames = false
  @Flag(help: "With --csv or --json, print every setting that a search touched, with the frames that it was scored on.")
  var searched = false

  func validate() throws {
    if csv && json { throw ValidationError("Use either --csv or --json, not both.") }
    if frames && !csv && !json { throw ValidationError("--frames needs --csv or --json.") }
    if searched && !csv && !json { throw ValidationError("--searched needs --csv or --json.") }
    if searched && frames { throw ValidationError("Use either --searched or --frames, not both.") }
  }

  func run() throws {
    let file = try SweepResultsFile.open(results)
    let table = SweepTableText(file.identity)
    if searched {
      let settings = try file.searchedSettings()
      guard !settings.isEmpty else {
        throw RetakeError(
          .usage, "\(results) has no search.", hint: "'retake sweep table' without --searched prints its runs")
      }
      return try StandardOutput.writeFile(csv ? table.csv(searched: settings) : table.json(searched: settings))
    }
    guard frames else {
      let summaries = try file.summaries()
      let text = csv ? table.csv(summaries) : json ? table.json(summaries) : Self.text(file.identity, summaries)
      return try StandardOutput.writeFile(text)
    }
    if csv { try StandardOutput.writeFile(table.frameHeader) }
    for key in try file.finishedRuns().sorted() {
      let frames = try file.frames(key)
      try StandardOutput.writeFile(csv ? table.csv(key, frames) : table.jsonLines(key, frames))
    }
  }

  private static func text(_ identity: SweepIdentity, _ summaries: [RunSummary]) -> String {
    let areSeveral = identity.recordings.count > 1
    var rows = [["SETTING"] + (areSeveral ? ["RECORDING"] : [])]
    // Scores that choose the best come first: a narrow terminal leaves out the last columns.
    let chosenBy = Array((identity.choice?.scores ?? []).reversed())
    let others = identity.scores.filter { !chosenBy.contains($0) }
    rows[0] += chosenBy.map(\.name) + identity.tried + others.map(\.name) + ["cost ms"]
    for summary in summaries {
      var row = ["\(summary.key.setting)"]
      if areSeveral { row.append(identity.recordings[summary.key.recording].path) }
      let parameters = identity.settings[summary.key.setting].parameters
      let tried = identity.tried.map { name in parameters.first { $0.name == name }?.value ?? "" }
      switch summary.outcome {
      case .scored(let scores):
        func texts(_ kinds: [ScoreKind]) -> [String] { kinds.map { scores[$0].map { SweepNumber.text($0) } ?? "-" } }
        row += texts(chosenBy) + tried + texts(others)
        row.append(summary.cost.map { SweepNumber.text($0.milliseconds) } ?? "-")
      // The reason is printed below the table; here it would widen the column.
      case .failed:
        row += chosenBy.indices.map { $0 == 0 ? "failed" : "" } + tried + (chosenBy.isEmpty ? ["failed"] : [])
      }
      rows.append(row)
    }
    let (table, leftOut) = fitted(rows)
    let note = leftOut.isEmpty ? [] : ["Too narrow for \(leftOut.joined(separator: ", ")); --csv has them."]
    let notes = (note + identity.truthSentences() + SweepFailures(summaries).sentences).map {
      Format.fitted($0, Terminal.outputColumns)
    }
    return ([table] + notes).joined(separator: "\n").printable + "\n"
  }

  /// For a terminal that is too narrow, parameters are named without their groups, and then the last columns left out.
  private static func fitted(_ rows: [[String]]) -> (table: String, leftOut: [String]) {
    guard let columns = Terminal.outputColumns else { return (Format.table(rows), []) }
    func width(_ rows: [[String]], _ count: Int) -> Int {
      (0..<count).reduce(2 * (count - 1)) { sum, column in
        sum + (rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0)
      }
    }
    let heads = rows[0]
    guard width(rows, heads.count) > columns else { return (Format.table(rows), []) }
    var rows = rows
    let short = heads.map { $0.split(separator: ".", maxSplits: 1).last.map(String.init) ?? $0 }
    if Set(short).count == short.count { rows[0] = short }
    var count = heads.count
    while count > 2, width(rows, count) > columns { count -= 1 }
    return (Format.table(rows.map { Array($0.prefix(count)) }), Array(heads.dropFirst(count)))
  }
}
