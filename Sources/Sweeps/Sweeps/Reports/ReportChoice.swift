import FrameModel
import Scores
import Support

/// The setting that a user's choice selects, and the report's sentence about it.
struct ReportChoice {
  /// Index among the identity's settings; nil without a choice, or if none is within its limits.
  let setting: Int?
  /// Nil for a choice by cost or by a combined rank.
  let score: ScoreKind?
  /// By setting, if the choice is by a combined rank; otherwise nil.
  let ranks: [Double?]?
  private let words: String

  /// - Throws: `.usage` for a score that the sweep does not have.
  init(_ choice: SweepChoice?, _ summaries: [RunSummary], _ identity: SweepIdentity) throws(RetakeError) {
    guard let choice else {
      (setting, score, ranks, words) = (nil, nil, nil, "")
      return
    }
    score = if case .score(let kind) = choice.measure { kind } else { nil }
    ranks = choice.measure == .unsupervised ? SettingMeans(summaries, identity).ranks : nil
    do {
      let best = try choice.best(of: summaries, identity)
      setting = best.setting
      let all = Figure.counted(best.eligibleCount, "setting")
      let within =
        "\(Figure.count(best.withinCount)) of \(all) \(best.withinCount == 1 ? "is" : "are") within the limits"
      let note = identity.worstNote.map { " This is \($0)." } ?? ""
      words = "Chosen by \(choice.description)\(choice.limits.isEmpty ? " of \(all)" : ": \(within)").\(note)"
    } catch {
      // No setting is within the limits: the report is still needed.
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
