import Scores
import Support

/// Settings that could not be run, grouped by reason.
package struct SweepFailures {
  package let runCount: Int
  private let failed: [(reason: String, settings: [Int])]

  package init(_ summaries: [RunSummary]) {
    runCount = summaries.count
    let reasons = summaries.compactMap { summary -> (reason: String, setting: Int)? in
      if case .failed(let reason) = summary.outcome { (reason, summary.key.setting) } else { nil }
    }
    failed = reasons.grouped(by: \.reason, \.setting).map { ($0.key, $0.values) }
  }

  package var isEverything: Bool { runCount > 0 && failed.reduce(0) { $0 + $1.settings.count } == runCount }

  private static let shownCount = 5

  package var sentences: [String] {
    failed.prefix(Self.shownCount).map { reason, settings in
      let settings = Set(settings).sorted()
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
      recording.absences.filter { wanted.contains($0.score) }.grouped(by: \.reason, \.score.name)
        .map { "\(recording.path): no \($1.joined(separator: ", ")): \($0)." }
    }
  }
}
