import Scores

/// What a search looks for: one score, or several whose Pareto front is wanted, within limits.
package struct SearchGoal: Hashable, Sendable {
  package enum Recordings: String, CaseIterable, Hashable, Sendable {
    case mean
    case worst
  }

  package struct Target: Hashable, Sendable {
    package var score: ScoreKind
    package var wantsHigher: Bool

    package init(score: ScoreKind, wantsHigher: Bool) { (self.score, self.wantsHigher) = (score, wantsHigher) }
  }

  package let targets: [Target]
  package let limits: [SweepLimit]
  /// How a setting's values on several recordings become one.
  package let recordings: Recordings
  /// Scores of targets and limits, each once. Scores of units are in this order.
  package let scores: [ScoreKind]

  package init(_ targets: [Target], limits: [SweepLimit] = [], recordings: Recordings = .mean) {
    (self.targets, self.limits, self.recordings) = (targets, limits, recordings)
    scores = (targets.map(\.score) + SweepLimit.scores(limits.map(\.measure))).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// - Parameter values: by recording; nil where a recording has none.
  func combined(_ values: [Double?], wantsHigher: Bool) -> Double? {
    let present = values.compactMap { $0 }
    guard !present.isEmpty else { return nil }
    switch recordings {
    case .mean: return present.reduce(0, +) / Double(present.count)
    case .worst: return wantsHigher ? present.min() : present.max()
    }
  }

  /// - Parameter means: of a score, by recording.
  func value(_ means: (ScoreKind) -> [Double?]) -> SearchValue {
    let goals = targets.map { target in
      combined(means(target.score), wantsHigher: target.wantsHigher).map { target.wantsHigher ? $0 : -$0 }
    }
    var violation = 0.0
    for limit in limits {
      guard case .score(let score) = limit.measure else { continue }
      guard let value = combined(means(score), wantsHigher: !limit.wantsLower) else {
        violation = .infinity
        continue
      }
      if limit.holds(value) { continue }
      violation += max((value - limit.bound).magnitude / max(limit.bound.magnitude, 1e-9), 1e-9)
    }
    return SearchValue(goals: goals, violation: violation)
  }
}

/// What a setting is worth on the frames that it was scored on.
package struct SearchValue: Hashable, Sendable {
  /// By target, turned so that higher is better; nil without a value.
  package var goals: [Double?]
  /// 0 within all limits; otherwise how far outside, relative to the bounds.
  package var violation: Double

  package var isWithinLimits: Bool { violation == 0 }

  /// Whether it is at least as good in every goal and better in one.
  func dominates(_ other: SearchValue) -> Bool {
    var isBetter = false
    for (a, b) in zip(goals, other.goals) {
      let (a, b) = (a ?? -.infinity, b ?? -.infinity)
      if a < b { return false }
      if a > b { isBetter = true }
    }
    return isBetter
  }
}
