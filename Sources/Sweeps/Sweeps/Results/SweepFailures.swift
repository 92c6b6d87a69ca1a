import Scores
import Support

/// Settings that could not be run, grouped by reason.
package struct SweepFailures {
  package let runCount: Int
  private let failed: [(reason: String, keys: [RunKey])]

  package init(_ summaries: [RunSummary]) {
    runCount = summaries.count
    var failed: [(reason: String, keys: [RunKey])] = []
    for summary in summaries {
      guard case .failed(let reason) = summary.outcome else { continue }
      if let place = failed.firstIndex(where: { $0.reason == reason }) {
        failed[place].keys.append(summary.key)
      } else {
        failed.append((reason, [summary.key]))
      }
    }
    self.failed = failed
  }

  package var isEverything: Bool { runCount > 0 && failed.reduce(0) { $0 + $1.keys.count } == runCount }

  private static let shownCount = 5

  package var sentences: [String] {
    failed.prefix(Self.shownCount).map { reason, keys in
      let settings = Set(keys.map(\.setting)).sorted()
      let names = settings.prefix(Self.shownCount).map { "\($0)" }.joined(separator: ", ")
      let more = settings.count > Self.shownCount ? " and \(settings.count - Self.shownCount) more" : ""
      return "failed: setting\(settings.count == 1 ? "" : "s") \(names)\(more): \(reason)"
    } + (failed.count > Self.shownCount ? ["and \(failed.count - Self.shownCount) more reasons"] : [])
  }
}

extension SweepIdentity {
  /// Which of these scores recordings cannot have, a sentence for each reason.
  package func absenceSentences(of wanted: Set<ScoreKind>) -> [String] {
    recordings.flatMap { recording in
      var reasons: [(reason: String, scores: [ScoreKind])] = []
      for absence in recording.absences where wanted.contains(absence.score) {
        if let place = reasons.firstIndex(where: { $0.reason == absence.reason }) {
          reasons[place].scores.append(absence.score)
        } else {
          reasons.append((absence.reason, [absence.score]))
        }
      }
      return reasons.map { "\(recording.path): no \($1.map(\.name).joined(separator: ", ")): \($0)." }
    }
  }
}
