import Scores

/// A combined ranking of a sweep's settings by scores that need no truth.
///
/// A setting's rank by a score is the share of the other settings that it beats, where equal ones count half. The
/// combined rank is the mean of the ranks, weighted. Ranks, unlike values, are not sensitive to how a score is
/// distributed; they depend on which settings a sweep has, but not on their order.
enum UnsupervisedRanking {
  typealias Term = (score: ScoreKind, weight: Double)

  /// Overlap decides between wrong and right regions, the others between good and better outlines.
  static let terms: [Term] = [(.agreement, 2), (.outlineAgreement, 2), (.edgeContrast, 1)]

  /// The terms whose score some recording of the sweep has.
  static func terms(of identity: SweepIdentity) -> [Term] {
    terms.filter { term in
      identity.scores.contains(term.score) && identity.recordings.contains { !$0.lacks(.score(term.score)) }
    }
  }

  /// By setting, 0 to 1; nil for a setting whose runs are not all finished.
  static func ranks(_ means: SettingMeans) -> [Double?] {
    let identity = means.identity
    let terms = terms(of: identity)
    let settings = identity.settings.indices.filter(means.isWhole)
    var sums = [Double?](repeating: nil, count: identity.settings.count)
    guard !terms.isEmpty else { return sums }
    for setting in settings { sums[setting] = 0 }
    var weight = 0.0
    for term in terms {
      // A setting without a value, such as one without any outline, is the last.
      let values = settings.map { means.value(.score(term.score), of: $0) ?? -.infinity }
      guard values.contains(where: \.isFinite) else { continue }
      weight += term.weight
      for (setting, share) in zip(settings, shares(values)) { sums[setting]? += term.weight * share }
    }
    return weight == 0 ? sums.map { _ in nil } : sums.map { $0.map { $0 / weight } }
  }

  /// For each value, the share of the others that are lower, with half of the equal ones.
  private static func shares(_ values: [Double]) -> [Double] {
    guard values.count > 1 else { return values.map { _ in 1 } }
    let sorted = values.indices.sorted { values[$0] < values[$1] }
    var result = [Double](repeating: 0, count: values.count)
    var first = 0
    while first < sorted.count {
      var end = first
      while end < sorted.count, values[sorted[end]] == values[sorted[first]] { end += 1 }
      // `first` are lower, `end - first - 1` others equal.
      let share = Double(first + end - 1) / Double(2 * (values.count - 1))
      for place in first..<end { result[sorted[place]] = share }
      first = end
    }
    return result
  }
}
