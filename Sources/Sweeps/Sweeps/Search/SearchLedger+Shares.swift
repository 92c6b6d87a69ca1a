import GRDB
import Support

extension SearchLedger {
  /// Scores of settings on units.
  package func doneCount() throws(RetakeError) -> Int { known.count }

  package func writeCopy(to path: String) throws(RetakeError) {
    try flush()
    try database.writeCopy(to: path)
  }

  /// Adds what another file of the same search has.
  /// - Returns: how many scores were new.
  /// - Throws: `.corrupt` for a score or a setting that differs.
  package func absorb(_ other: SearchLedger) throws(RetakeError) -> Int {
    let parts = other.points.enumerated().filter { !$0.element.isEmpty }.map { number, point in
      SearchRung.Part(setting: number, point: point, units: 0..<0)
    }
    try add(parts)
    var errors: [Key: String] = [:]
    let rows = try other.database.read { database in
      try Row.fetchAll(database, sql: "SELECT setting, unit, error FROM search_failure").map { row in
        (
          Key(setting: try row.integer(0, in: 0...Self.settingLimit), unit: try row.integer(1, in: 0...(.max))),
          try row.text(2)
        )
      }
    }
    for (key, error) in rows { errors[key] = error }
    var new: [SearchScorer.Result] = []
    for (key, score) in other.known {
      if let own = known[key] {
        guard own == score else {
          throw ResultsDatabase.damaged(
            other.path, "it has another score of setting \(key.setting) than the other parts")
        }
        continue
      }
      new.append(SearchScorer.Result(setting: key.setting, unit: key.unit, score: score, error: errors[key]))
    }
    try write(new.sorted { ($0.setting, $0.unit) < ($1.setting, $1.unit) })
    return new.count
  }
}
