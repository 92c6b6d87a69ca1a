import Scores
import Support

/// The best of the settings that a search scored in full, and how sure that is.
package struct SearchVerdict: Sendable {
  package struct HeldOut: Hashable, Sendable {
    package var recording: Int
    /// The best setting by the other recordings, and its score on this one.
    package var setting: Int
    package var value: Double
    /// The score of the best setting by all recordings.
    package var bestValue: Double
  }

  /// Index among the finalists, as all settings here.
  package let setting: Int
  package let value: Double
  /// Standard error of the value as the mean of more such frames, from the differences between runs of
  /// frames; between recordings where there are several.
  package let standardError: Double
  /// Settings that are better by less than the noise, but farther from the current values.
  package let ties: [Int]
  /// Settings that no other is better than in every goal; with one goal only the best.
  package let front: [Int]
  /// One for each recording; empty for a single one.
  package let heldOut: [HeldOut]
  package let withinCount: Int
  /// By axis, from all frames of the settings scored in full: of all pairs, and of those with the best.
  package let effects: [SearchEffect]
  package let effectsBesideBest: [SearchEffect]

  private static let blockCount = 24

  /// - Parameters:
  ///   - distances: of each finalist from the current values.
  ///   - frames: the scores of a run's frames.
  /// - Throws: `.notFound` if no finalist is within the limits or has a value.
  package init(
    _ goal: SearchGoal, _ summaries: [RunSummary], _ identity: SweepIdentity, space: SearchSpace,
    points: [SearchLattice.Point], frames: (RunKey) throws(RetakeError) -> [ScoredFrame]
  ) throws(RetakeError) {
    let means = SettingMeans(summaries, identity)
    let recordings = identity.recordings.map(\.number)
    let target = goal.targets[0]
    let single = SearchGoal([target], limits: goal.limits, recordings: goal.recordings)
    func worth(_ setting: Int, _ chosen: [Int], by goal: SearchGoal) -> SearchValue {
      goal.value { score in
        let values = means.values(.score(score), of: setting)
        return chosen.map { values[$0] }
      }
    }
    func ranked(_ settings: [Int], _ chosen: [Int]) -> [Int] {
      SearchRanking.ranked(
        settings.map {
          SearchRanking.Entry(
            setting: $0, value: worth($0, chosen, by: single), distance: space.lattice.distance(points[$0]))
        })
    }
    let whole = points.indices.filter { means.isWhole($0) && worth($0, recordings, by: single).goals[0] != nil }
    let within = whole.filter { worth($0, recordings, by: single).isWithinLimits }
    guard !within.isEmpty else {
      let isAll = space.lattice.allowedPoints(upTo: points.count)?.count == points.count
      throw Self.nothing(goal, means, ranked(whole, recordings).first, isAll: isAll)
    }
    let best = ranked(within, recordings)[0]
    var blocks: [Int: [[Double?]]] = [:]
    var fingerprints: [UInt64] = []
    for setting in whole {
      var fingerprint: UInt64 = 0
      blocks[setting] = try recordings.map { recording throws(RetakeError) in
        let frames = try frames(RunKey(setting: setting, recording: recording))
        for frame in frames {
          for score in goal.scores {
            fingerprint = SeededGenerator.hash(fingerprint, frame.scores[score].map(\.bitPattern) ?? 1)
          }
        }
        return Self.blocks(frames, target.score)
      }
      fingerprints.append(fingerprint)
    }
    let bestValue = worth(best, recordings, by: single).goals[0] ?? 0
    // Those that are not worse than the best beyond noise; of these the nearest to the current values.
    let equal = within.filter { other in
      let loss = bestValue - (worth(other, recordings, by: single).goals[0] ?? -.infinity)
      let noise = Self.noise(of: zip(blocks[best] ?? [], blocks[other] ?? []).map { zip($0, $1).map(Self.difference) })
      return other == best || loss <= min(noise, SearchTie.share * bestValue.magnitude)
    }
    let nearest = equal.min { a, b in
      let (x, y) = (space.lattice.distance(points[a]), space.lattice.distance(points[b]))
      return x == y ? a < b : x < y
    }
    let chosen = nearest ?? best
    setting = chosen
    let own = worth(chosen, recordings, by: single).goals[0] ?? 0
    value = target.wantsHigher ? own : -own
    standardError = Self.noise(of: blocks[chosen] ?? [])
    ties = equal.filter { $0 != chosen && (worth($0, recordings, by: single).goals[0] ?? 0) > own }
    withinCount = within.count
    func effects(of setting: Int?) -> [SearchEffect] {
      SearchEffect.all(whole.map { points[$0] }, of: setting) { fingerprints[$0] == fingerprints[$1] }
    }
    (self.effects, effectsBesideBest) = (effects(of: nil), effects(of: whole.firstIndex(of: chosen)))
    front = within.filter { setting in
      let own = worth(setting, recordings, by: goal)
      return !within.contains { worth($0, recordings, by: goal).dominates(own) }
    }
    heldOut =
      recordings.count < 2
      ? []
      : recordings.compactMap { recording in
        let others = recordings.filter { $0 != recording }
        func value(_ setting: Int) -> Double? { means.values(.score(target.score), of: setting)[recording] }
        let judged = whole.filter { worth($0, others, by: single).goals[0] != nil }
        guard let without = ranked(judged, others).first, let own = value(without), let best = value(chosen) else {
          return nil
        }
        return HeldOut(recording: recording, setting: without, value: own, bestValue: best)
      }
  }

  /// As of a choice among all settings.
  package func result(_ choice: SweepChoice, settingCount: Int) -> SweepChoiceResult {
    SweepChoiceResult(
      setting: setting, values: [SweepChoiceResult.Value(measure: choice.measure, value: value)],
      withinCount: withinCount, eligibleCount: settingCount)
  }

  /// Means of runs of frames, since neighbouring frames are alike; nil for a run of which no frame has the score.
  private static func blocks(_ frames: [ScoredFrame], _ score: ScoreKind) -> [Double?] {
    let values = frames.map { $0.scores[score] }
    let length = max(1, values.count / blockCount)
    return stride(from: 0, to: values.count, by: length).map { start in
      let present = values[start..<min(values.count, start + length)].compactMap { $0 }
      return present.isEmpty ? nil : present.mean
    }
  }

  private static func difference(_ a: Double?, _ b: Double?) -> Double? { a.flatMap { a in b.map { a - $0 } } }

  /// The standard error of a mean over the recordings that have the score, by recording and run.
  private static func noise(of blocks: [[Double?]]) -> Double {
    let present = blocks.map { $0.compactMap { $0 } }.filter { !$0.isEmpty }
    return present.count > 1 ? present.map(\.mean).standardError : present.first?.standardError ?? 0
  }

  private static func nothing(
    _ goal: SearchGoal, _ means: SettingMeans, _ nearest: Int?, isAll: Bool
  ) -> RetakeError {
    guard let nearest else {
      return RetakeError(
        .notFound, "No setting that was scored on all frames has a value of \(goal.targets[0].score.name).",
        hint: "choose by another score")
    }
    let limits = goal.limits.map(\.description).joined(separator: ",")
    let values = goal.limits.compactMap { limit in
      goal.combined(means.values(limit.measure, of: nearest), wantsHigher: !limit.wantsLower)
        .map { "\(limit.measure.name) \(limit.rounded($0))" }
    }
    let isOfWorst = goal.recordings == .worst && means.identity.recordings.count > 1
    return RetakeError(
      .notFound, "The search found no setting within \(limits)\(isOfWorst ? " on the worst recording" : "").",
      hint: "the nearest is setting \(nearest) with \(values.joined(separator: ", ")); relax a limit"
        + (isAll ? "" : " or raise --budget"))
  }
}
