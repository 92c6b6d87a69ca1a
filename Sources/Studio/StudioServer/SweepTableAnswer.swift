import Scores
import StudioViews
import Support
import Sweeps

/// Settings of a sweep with their scores, as the page's table and plots take them. The names are those of a report's data.
enum SweepTableAnswer {
  static func setting(_ preset: String, _ entries: [(name: String, value: String)]) -> JSONObject {
    JSONObject(["preset": preset, "values": JSONObject(pairs: entries.map { ($0.name, $0.value) })])
  }

  static func columns(_ scores: [ScoreKind]) -> [JSONObject] {
    let kinds = scores.map(SweepTable.Column.Kind.score) + [.cost, .gaps]
    return kinds.map { kind in
      let column = SweepTable.Column(kind: kind)
      let better = column.preference == .higher ? 1 : column.preference == .lower ? -1 : 0
      return JSONObject(["name": column.name, "unit": column.unit, "help": column.help, "better": better])
    }
  }

  static func row(_ row: SweepRows.Row) -> JSONObject {
    let scores = (row.scores + [row.cost, row.gaps]).map { $0 ?? .nan }
    var object = JSONObject(["i": row.number, "n": row.number, "t": row.values, "m": scores, "f": row.frameCount])
    switch row.state {
    case .done: object.add("s", 0)
    case .failed(let error): object.add(["s": 1, "e": error])
    case .partial: object.add("s", 3)
    }
    return object
  }
}
