/// Settings that are scored on the same frames of a recording, in one pass over them.
package struct SearchTask {
  let pass: SearchScorer.Pass
  package var parts: [SearchRung.Part]

  /// Frames played, summed over settings.
  package var frameCount: Int { parts.count * pass.played.count }
  /// Scores of a setting on a unit.
  package var scoreCount: Int { parts.count * pass.units.count }
  var unitNumbers: [Int] { pass.units.map(\.number) }

  /// Without the settings whose scores are in the file.
  func lacking(in ledger: SearchLedger) -> SearchTask {
    SearchTask(
      pass: pass, parts: parts.filter { part in unitNumbers.contains { ledger.score(part.setting, $0) == nil } })
  }
}
