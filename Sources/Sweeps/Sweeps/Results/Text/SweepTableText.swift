import Scores
import Support

/// Formats results as CSV (RFC 4180) and JSON, with the columns of the file's view `result`.
package struct SweepTableText: Sendable {
  private let identity: SweepIdentity
  private let tried: [TriedColumn]

  package init(_ identity: SweepIdentity) {
    self.identity = identity
    tried = TriedColumn.all(of: identity)
  }

  private enum Cell {
    case integer(Int)
    case real(Double)
    case text(String)
    case nothing
  }

  private typealias Row = [(name: String, cell: Cell)]

  // MARK: Runs

  /// A header line and a line for each run.
  package func csv(_ summaries: [RunSummary]) -> String {
    ([names(runColumns)] + summaries.filter { identity.has($0.key) }.map { line(row($0)) }).joined()
  }

  /// An array with one object per run, one a line; absent values are null.
  package func json(_ summaries: [RunSummary]) -> String {
    list(summaries.filter { identity.has($0.key) }.map { object(row($0)) })
  }

  private var runColumns: [String] {
    ["setting", "recording", "path", "frames", "missing", "truth_frames"] + tried.map(\.name)
      + identity.scores.map(\.name) + ["cost_ms", "error"]
  }

  private func row(_ summary: RunSummary) -> Row {
    let recording = identity.recordings[summary.key.recording]
    var scores = ScoreRow()
    var error: String?
    switch summary.outcome {
    case .scored(let row): scores = row
    case .failed(let sentence): error = sentence
    }
    let parameters = identity.settings[summary.key.setting].parameters
    var cells: [Cell] = [
      .integer(summary.key.setting), .text(recording.id), .text(recording.path), .integer(summary.frameCount),
      .integer(summary.missingCount), recording.truthFrameCount.map(Cell.integer) ?? .nothing,
    ]
    cells += tried.map { Self.cell(parameters[$0.place].value, $0.type) }
    cells += identity.scores.map { scores[$0].map(Cell.real) ?? .nothing }
    cells += [summary.cost.map { .real($0.milliseconds) } ?? .nothing, error.map(Cell.text) ?? .nothing]
    return zip(runColumns, cells).map { ($0, $1) }
  }

  private static func cell(_ text: String, _ type: TriedColumn.ValueType) -> Cell {
    switch type {
    case .integer: TriedColumn.integer(text).map(Cell.integer) ?? .nothing
    case .real: TriedColumn.real(text).map(Cell.real) ?? .nothing
    case .text: .text(text)
    }
  }

  // MARK: Frames

  package var frameHeader: String { names(frameColumns) }

  /// Lines for the frames of a run, without `frameHeader`.
  package func csv(_ key: RunKey, _ frames: [ScoredFrame]) -> String {
    frames.map { line(row(key, $0)) }.joined()
  }

  /// JSON lines, an object for each frame of a run.
  package func jsonLines(_ key: RunKey, _ frames: [ScoredFrame]) -> String {
    frames.map { object(row(key, $0)).text + "\n" }.joined()
  }

  private var frameColumns: [String] {
    ["setting", "recording", "frame", "has_matte"] + identity.scores.filter(\.isOfFrames).map(\.name)
  }

  private func row(_ key: RunKey, _ frame: ScoredFrame) -> Row {
    var cells: [Cell] = [
      .integer(key.setting), .text(identity.recordings[key.recording].id), .integer(frame.number),
      .integer(frame.hasMatte ? 1 : 0),
    ]
    cells += identity.scores.filter(\.isOfFrames).map { frame.scores[$0].map(Cell.real) ?? .nothing }
    return zip(frameColumns, cells).map { ($0, $1) }
  }

  // MARK: Searches

  /// A header line and a line for each setting of a search, recording and score.
  package func csv(searched settings: [SearchedSetting]) -> String {
    let rows = settings.flatMap(rows)
    return ([names(rows.first?.map(\.name) ?? [])] + rows.map(line)).joined()
  }

  /// An array with one object per setting of a search, recording and score.
  package func json(searched settings: [SearchedSetting]) -> String { list(settings.flatMap(rows).map(object)) }

  private func rows(_ setting: SearchedSetting) -> [Row] {
    setting.parts.map { part in
      var row: Row = [
        ("searched", .integer(setting.number)), ("recording", .text(identity.recordings[part.recording].id)),
        ("frames", .integer(part.frameCount)), ("whole", .integer(part.isWhole ? 1 : 0)),
      ]
      for name in identity.tried {
        row.append((name, setting.values.first { $0.name == name }.map { .text($0.value) } ?? .nothing))
      }
      return row + [("score", .text(part.score.name)), ("mean", part.mean.map(Cell.real) ?? .nothing)]
    }
  }

  // MARK: Text

  private func names(_ columns: [String]) -> String { columns.map(Self.quoted).joined(separator: ",") + "\r\n" }

  private func line(_ row: Row) -> String {
    row.map { _, cell in
      switch cell {
      case .integer(let value): "\(value)"
      // Swift prints the fewest digits that restore the bits.
      case .real(let value): "\(value)"
      case .text(let value): Self.quoted(value)
      case .nothing: ""
      }
    }.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  private func object(_ row: Row) -> JSONObject {
    var object = JSONObject()
    for (name, cell) in row {
      switch cell {
      case .integer(let value): object.add(name, value)
      case .real(let value): object.add(name, value)
      case .text(let value): object.add(name, value)
      // `JSONObject` writes NaN as null.
      case .nothing: object.add(name, Double.nan)
      }
    }
    return object.versioned
  }

  private func list(_ objects: [JSONObject]) -> String {
    guard !objects.isEmpty else { return "[]\n" }
    return "[\n" + objects.map(\.text).joined(separator: ",\n") + "\n]\n"
  }
}
