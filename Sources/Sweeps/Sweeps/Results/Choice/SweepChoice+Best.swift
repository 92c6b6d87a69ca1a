import Scores
import Support

extension SweepChoice {
  fileprivate var measures: [SweepMeasure] {
    (limits.map(\.measure) + [measure]).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The best setting by means over the recordings, the first of equals. Settings that failed, are
  /// not finished or lack a value are not considered.
  /// - Throws: `.usage` for a score that the sweep does not have; `.notFound` with the limit that
  ///   excludes the last settings, and the nearest one.
  package func best(of summaries: [RunSummary], _ identity: SweepIdentity) throws(RetakeError) -> SweepChoiceResult {
    try identity.check(self)
    let means = SettingMeans(summaries, identity)
    let whole = identity.settings.indices.filter(means.isWhole)
    guard !whole.isEmpty else { throw identity.noneFinished(summaries) }
    let eligible = try eligible(whole, measures, means)
    let within = try within(eligible, means)
    // Eligible settings have all values, so 0 never stands in for one.
    let worth = within.map { (setting: $0, value: means.value(measure, of: $0) ?? 0) }
    guard let best = Self.first(worth, direction) else { preconditionFailure("within throws where it leaves none") }
    let values = measures.map {
      SweepChoiceResult.Value(measure: $0, value: means.value($0, of: best.setting) ?? 0)
    }
    return SweepChoiceResult(
      setting: best.setting, values: values, withinCount: within.count, eligibleCount: eligible.count)
  }

  private func eligible(_ settings: [Int], _ measures: [SweepMeasure], _ means: SettingMeans) throws(RetakeError)
    -> [Int]
  {
    var eligible = settings
    for measure in measures {
      eligible = eligible.filter { means.value(measure, of: $0) != nil }
      guard !eligible.isEmpty else {
        throw RetakeError(.notFound, "No setting has a value of \(measure.name).", hint: "choose by another score")
      }
    }
    return eligible
  }

  private func within(_ settings: [Int], _ means: SettingMeans) throws(RetakeError) -> [Int] {
    var left = settings
    for (place, limit) in limits.enumerated() {
      let worth = left.map { (setting: $0, value: means.value(limit.measure, of: $0) ?? 0) }
      left = worth.filter { limit.holds($0.value) }.map(\.setting)
      guard left.isEmpty else { continue }
      guard let nearest = Self.first(worth, limit.wantsLower ? .lowest : .highest) else { break }
      let before = limits[..<place].map(\.description).joined(separator: ",")
      throw RetakeError(
        .notFound, "No setting \(before.isEmpty ? "" : "within \(before) ")fulfils \(limit).",
        hint: "the nearest is setting \(nearest.setting) with \(limit.measure.name) \(limit.rounded(nearest.value))")
    }
    return left
  }

  /// The first of the equally best.
  private static func first(
    _ worth: [(setting: Int, value: Double)], _ direction: Direction
  ) -> (setting: Int, value: Double)? {
    worth.min { a, b in direction == .highest ? a.value > b.value : a.value < b.value }
  }
}

extension SweepIdentity {
  /// The error for results in which no setting has a score for every recording.
  fileprivate func noneFinished(_ summaries: [RunSummary]) -> RetakeError {
    let message = "No setting finished over all recordings without an error, so none is the best"
    let failed = summaries.compactMap { summary -> (key: RunKey, reason: String)? in
      if case .failed(let reason) = summary.outcome { (summary.key, reason) } else { nil }
    }
    guard summaries.count == runKeys.count, let first = failed.min(by: { $0.key < $1.key }) else {
      return RetakeError(.notFound, "\(message).", hint: "run the sweep's command again to continue it")
    }
    let path = recordings[first.key.recording].path
    // Results hold errors as text; only those of damage name this verb.
    let step =
      first.reason.contains("retake recover")
      ? "'retake recover \(ShellWord.quoted(path))' keeps what is whole; then" : "when that is mended,"
    return RetakeError(
      .notFound, "\(message); setting \(first.key.setting) over \(path) failed: \(first.reason)",
      hint: "\(step) sweep into another file with -o, since runs that failed are not repeated")
  }

  /// Checks, before anything runs, that this choice can be made.
  /// - Throws: `.usage` for a score that the sweep does not compute, or no recording can have.
  package func check(_ choice: SweepChoice) throws(RetakeError) {
    for measure in choice.measures { try check(measure) }
  }

  /// - Throws: `.usage` for a score that the sweep does not compute, or no recording can have.
  func check(_ measure: SweepMeasure) throws(RetakeError) {
    if measure == .unsupervised { return try checkUnsupervised() }
    guard case .score(let kind) = measure else { return }
    guard scores.contains(kind) else {
      throw RetakeError(
        .usage, "This sweep does not have the score \(kind.name).",
        hint: "it has \(scores.map(\.name).joined(separator: ", ")) and cost")
    }
    let reasons = recordings.map { recording in recording.absences.first { $0.score == kind }?.reason }
    guard reasons.contains(nil) else {
      throw RetakeError(
        .usage, "No recording of this sweep has the score \(kind.name).",
        hint: [
          reasons.first.flatMap { $0 },
          kind.usesTruth ? "name mattes with --truth, or choose with --best unsupervised" : "choose by another score",
        ].compactMap(\.self).joined(separator: "; "))
    }
  }

  private func checkUnsupervised() throws(RetakeError) {
    guard UnsupervisedRanking.scores(of: self).isEmpty else { return }
    let names = SweepMeasure.unsupervised.scores.map(\.name).joined(separator: ",")
    throw RetakeError(
      .usage, "This sweep has none of the scores that unsupervised ranks by.",
      hint: "sweep with --best unsupervised, or with --scores \(names)")
  }
}
