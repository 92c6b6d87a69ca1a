import FrameModel
import Scores
import Support

/// Which setting somebody's choice comes to, and how the report says so.
struct ReportChoice {
  /// The place among the identity's settings; nil where nothing was chosen or nothing is within the limits.
  let setting: Int?
  /// What it was chosen by, where that is a score.
  let score: ScoreKind?
  private let words: String

  /// - Throws: `.usage` for a score that the sweep does not have.
  init(_ choice: SweepChoice?, _ summaries: [RunSummary], _ identity: SweepIdentity) throws(RetakeError) {
    guard let choice else {
      (setting, score, words) = (nil, nil, "")
      return
    }
    score = if case .score(let kind) = choice.measure { kind } else { nil }
    do {
      let best = try choice.best(of: summaries, identity)
      setting = best.setting
      words =
        "Chosen by \(choice.description): \(Figure.count(best.withinCount)) of "
        + "\(Figure.counted(best.eligibleCount, "setting")) "
        + (best.withinCount == 1 ? "is" : "are") + " within the limits."
    } catch {
      // A report is wanted most where things went wrong.
      guard error.code == .notFound else { throw error }
      setting = nil
      words = error.message
    }
  }

  func reason(_ roles: SweepRoles) -> String {
    let own = roles.quality.map { "Best by \($0.name), \($0.direction)." } ?? ""
    return setting != nil ? words : [words, own].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
