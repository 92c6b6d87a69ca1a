import MatteScoring

/// A setting that is not worse in everything than another.
package struct ParetoPoint: Hashable, Sendable {
  package var setting: Int
  /// Means over the recordings.
  package var quality: Double
  /// Nil where the sweep does not have the score.
  package var flicker: Double?
  /// Milliseconds a frame; nil where no setting's was measured.
  package var cost: Double?
}

/// The settings that no other one is at least as good as in all of quality, flicker and cost and better in one of them; by their
/// numbers. Of settings that are the same in all three all are there.
///
/// Settings without a value of quality or flicker are left out; where the cost of some was measured, those without as well.
/// - Parameter quality: one with a preference; of those without, more counts as better.
package func paretoFront(of summaries: [RunSummary], _ identity: SweepIdentity, quality: ScoreKind) -> [ParetoPoint] {
  let means = SettingMeans(summaries, identity)
  let hasFlicker = identity.scores.contains(.flicker)
  var points: [ParetoPoint] = identity.settings.indices.compactMap { setting in
    guard let worth = means.value(.score(quality), of: setting) else { return nil }
    let flicker = means.value(.score(.flicker), of: setting)
    guard flicker != nil || !hasFlicker else { return nil }
    return ParetoPoint(setting: setting, quality: worth, flicker: flicker, cost: means.value(.cost, of: setting))
  }
  if points.contains(where: { $0.cost != nil }) { points.removeAll { $0.cost == nil } }
  // Lower is better from here on. In this order none is dominated by one that comes after it.
  let sign = quality.preference == .lower ? 1.0 : -1.0
  func losses(_ point: ParetoPoint) -> (Double, Double, Double) {
    (point.quality * sign, point.flicker ?? 0, point.cost ?? 0)
  }
  points.sort {
    let (a, b) = (losses($0), losses($1))
    return a == b ? $0.setting < $1.setting : a < b
  }
  var front: [ParetoPoint] = []
  for point in points {
    let own = losses(point)
    let isDominated = front.contains {
      let other = losses($0)
      return other.0 <= own.0 && other.1 <= own.1 && other.2 <= own.2 && other != own
    }
    if !isDominated { front.append(point) }
  }
  return front.sorted { $0.setting < $1.setting }
}
