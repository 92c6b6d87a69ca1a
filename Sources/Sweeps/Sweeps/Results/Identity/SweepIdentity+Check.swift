import Scores
import Support

extension SweepIdentity {
  /// Checks that a results file can hold the sweep.
  /// - Throws: `.unsupported` with the first violation.
  func check() throws(RetakeError) {
    try check(settings.count, "settings", SweepLimits.settings)
    try check(recordings.count, "recordings", SweepLimits.recordings)
    try check(scores.count, "scores", ScoreKind.allCases.count)
    let names = settings[0].parameters.map(\.name)
    try check(names.count, "parameters", SweepLimits.parameters, least: 0)
    // The factors' limits are too low for an overflow.
    try check(settings.count * recordings.count, "runs", SweepLimits.runs)
    try check(settings.count * names.count, "values", SweepLimits.values, least: 0)
    try check(version, preset, limit: SweepLimits.textBytes)
    try check(words, limit: SweepLimits.wordsBytes)
    for (place, setting) in settings.enumerated() {
      guard setting.number == place, setting.parameters.map(\.name) == names else {
        throw Self.impossible("setting \(place) has another number or other parameters than the first")
      }
      try check(setting.digest, limit: SweepLimits.textBytes)
      for parameter in setting.parameters { try check(parameter.value, limit: SweepLimits.textBytes) }
    }
    for name in names { try check(name, limit: SweepLimits.textBytes) }
    for (place, recording) in recordings.enumerated() {
      guard recording.number == place, recording.frames.lowerBound >= 0,
        recording.frames.upperBound <= SweepLimits.frames, (1...SweepLimits.frames).contains(recording.every),
        (0...SweepLimits.side).contains(recording.width), (0...SweepLimits.side).contains(recording.height)
      else { throw Self.impossible("recording \(place) has an invalid number or size") }
      guard (0...SweepLimits.frames).contains(recording.truthFrameCount ?? 0),
        (1...SweepLimits.side).contains(recording.boundaryTolerance ?? 1)
      else { throw Self.impossible("recording \(place) has an invalid number of frames with truth, or tolerance") }
      try check(recording.id, recording.path, recording.truth, limit: SweepLimits.textBytes)
      try check(recording.absences.count, "absences", ScoreKind.allCases.count, least: 0)
      for absence in recording.absences { try check(absence.reason, limit: SweepLimits.textBytes) }
    }
    guard defaultSetting.map(settings.indices.contains) ?? true else {
      throw Self.impossible("its default setting is not one of its settings")
    }
    guard tried.allSatisfy(names.contains) else { throw Self.impossible("a parameter to try is missing") }
    try checkColumns(names)
  }

  /// SQLite ignores the case of column names.
  private func checkColumns(_ names: [String]) throws(RetakeError) {
    var seen: Set<String> = []
    for column in ResultsSchema.ownColumns + scores.map(\.name) + tried
    where !seen.insert(column.lowercased()).inserted {
      throw Self.impossible("two columns would be called '\(column)'")
    }
    guard Set(names).count == names.count else { throw Self.impossible("a parameter occurs twice") }
  }

  private func check(_ count: Int, _ what: String, _ limit: Int, least: Int = 1) throws(RetakeError) {
    guard (least...limit).contains(count) else {
      throw Self.impossible("it has \(count) \(what), but must have \(least) to \(limit)")
    }
  }

  /// A zero byte would end a text in SQLite.
  private func check(_ texts: String..., limit: Int) throws(RetakeError) {
    for text in texts where text.utf8.count > limit || text.utf8.contains(0) {
      throw Self.impossible("a text is longer than \(limit) bytes or contains a NUL character: '\(text.prefix(40))'")
    }
  }

  private static func impossible(_ why: String) -> RetakeError {
    RetakeError(.unsupported, "The results of this sweep cannot be stored in a file: \(why).")
  }
}
