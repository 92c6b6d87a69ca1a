import GRDB
import Scores
import Support

/// A setting that a search touched, with the frames that it was scored on.
package struct SearchedSetting: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var recording: Int
    /// Whether all of the recording was played, rather than short runs of its frames.
    package var isWhole: Bool
    package var score: ScoreKind
    /// Frames with a value.
    package var frameCount: Int
    package var mean: Double?
  }

  /// In the order in which they were touched.
  package var number: Int
  package var values: [SweepIdentity.Assignment]
  /// By recording, then score. Where all of a recording was played, that counts.
  package var parts: [Part]

  /// Frames with a value, over all recordings, of the score that has most.
  package var frameCount: Int {
    Dictionary(grouping: parts, by: \.score).values.map { $0.reduce(0) { $0 + $1.frameCount } }.max() ?? 0
  }

  /// The mean over the recordings that it was scored on.
  package func mean(_ score: ScoreKind) -> Double? {
    let means = parts.filter { $0.score == score }.compactMap(\.mean)
    return means.isEmpty ? nil : means.reduce(0, +) / Double(means.count)
  }
}

extension SweepResultsFile {
  /// The settings that a search scored, by number: the results' own where it scored every one on all frames. None if the
  /// results are not of a search.
  /// - Throws: `.corrupt` for tables of a search that were changed.
  package func searchedSettings() throws(RetakeError) -> [SearchedSetting] {
    guard try SearchLedger.hasTables(database) else { return [] }
    let identity = identity
    let settings = try database.read { database in
      var settings: [Int: SearchedSetting] = [:]
      let values = try Row.fetchCursor(database, sql: "SELECT setting, parameter, value FROM search_value")
      while let row = try values.next() {
        let number = try row.integer(0, in: 0...SearchLedger.settingLimit)
        settings[number, default: SearchedSetting(number: number, values: [], parts: [])].values.append(
          SweepIdentity.Assignment(name: try row.text(1), value: try row.text(2)))
      }
      let results = try Row.fetchCursor(
        database,
        sql: "SELECT setting, recording, is_whole, score, frames, mean FROM search_result ORDER BY 1, 2, 4, 3")
      while let row = try results.next() {
        let number = try row.integer(0, in: 0...SearchLedger.settingLimit)
        guard let score = ScoreKind(name: try row.text(3)), settings[number] != nil else {
          throw ImpossibleRow(what: "its search has a score without a setting, or an unknown one")
        }
        let part = SearchedSetting.Part(
          recording: try row.integer(1, in: 0...identity.recordings.count - 1),
          isWhole: try row.integer(2, in: 0...1) == 1, score: score,
          frameCount: try row.integer(4, in: 0...SweepLimits.frames), mean: try row.optionalReal(5))
        // Those of all frames come after those of short runs, and replace them.
        settings[number]?.parts.removeAll { $0.recording == part.recording && $0.score == part.score }
        settings[number]?.parts.append(part)
      }
      return settings.values.filter { !$0.parts.isEmpty }.sorted { $0.number < $1.number }
    }
    return settings.isEmpty ? try wholeSettings() : settings
  }

  private func wholeSettings() throws(RetakeError) -> [SearchedSetting] {
    let runs = Dictionary(grouping: try summaries(), by: \.key.setting)
    return identity.settings.compactMap { setting in
      let parts = (runs[setting.number] ?? []).sorted { $0.key < $1.key }.flatMap { run -> [SearchedSetting.Part] in
        guard case .scored(let row) = run.outcome else { return [] }
        return identity.scores.compactMap { score in
          row[score].map {
            SearchedSetting.Part(
              recording: run.key.recording, isWhole: true, score: score, frameCount: run.frameCount, mean: $0)
          }
        }
      }
      guard !parts.isEmpty else { return nil }
      let values = setting.parameters.filter { identity.tried.contains($0.name) }
      return SearchedSetting(number: setting.number, values: values, parts: parts)
    }
  }
}
