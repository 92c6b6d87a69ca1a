import MattePipeline
import Scores
import Sweeps

/// Which of the tried parameters changed no score: a sweep over them alone teaches nothing.
struct SweepInfluence {
  /// In the order of the sweep.
  let idle: [String]

  init(_ identity: SweepIdentity, _ summaries: [RunSummary]) {
    idle = identity.tried.filter { Self.isIdle($0, identity, summaries) }
  }

  /// Whether runs that differ in this parameter only have the same scores, and there are such runs.
  private static func isIdle(_ name: String, _ identity: SweepIdentity, _ summaries: [RunSummary]) -> Bool {
    var scoresOfOthers: [String: [Double?]] = [:]
    var hasPair = false
    for summary in summaries {
      guard case .scored(let row) = summary.outcome else { continue }
      let others = identity.settings[summary.key.setting].parameters.filter { $0.name != name }
      let group = "\(summary.key.recording) " + others.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      let scores = identity.scores.map { row[$0] }
      guard scores.contains(where: { $0 != nil }) else { continue }
      guard let known = scoresOfOthers[group] else {
        scoresOfOthers[group] = scores
        continue
      }
      guard known == scores else { return false }
      hasPair = true
    }
    return hasPair
  }

  var sentences: [String] {
    let composite = Set(PipelineParameters.composite.declarations.map(\.name))
    let (later, unused) = (idle.filter(composite.contains), idle.filter { !composite.contains($0) })
    var sentences: [String] = []
    if !later.isEmpty {
      sentences.append(
        "No score depends on \(later.joined(separator: ", ")): sweeps score mattes, and composite.… acts after them. Compare "
          + "composites by eye, with 'retake replay' or in 'retake studio'.")
    }
    if let first = unused.first {
      sentences.append(
        "No score depends on \(unused.joined(separator: ", ")) here: either these values are too near each other, or the "
          + "other settings, such as the preset, leave \(unused.count == 1 ? "it" : "them") unused, or nothing in this "
          + "recording shows the difference. "
          + "'retake parameters \(first)' says which settings it needs.")
    }
    return sentences
  }
}
