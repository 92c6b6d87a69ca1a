import Scores

/// A combined ranking of a sweep's settings by scores that need no truth.
///
/// A setting's rank by a score is the share of the other settings that it beats, where equal ones count half. The
/// combined rank is the mean of its ranks. Ranks, unlike values, are not sensitive to how a score is distributed;
/// they depend on which settings a sweep has, but not on their order.
enum UnsupervisedRanking {
  /// Overlap decides between right and wrong regions, outlines between good and better ones.
  static let scores: [ScoreKind] = [.agreement, .outlineAgreement]
  /// For sweeps without depth, which have neither.
  static let fallback: [ScoreKind] = [.edgeContrast]

  /// The scores that some recording of the sweep has.
  static func scores(of identity: SweepIdentity) -> [ScoreKind] {
    func present(_ scores: [ScoreKind]) -> [ScoreKind] {
      scores.filter { score in
        identity.scores.contains(score) && identity.recordings.contains { !$0.lacks(.score(score)) }
      }
    }
    let main = present(scores)
    return main.isEmpty ? present(fallback) : main
  }

  /// By setting, 0 to 1; nil for a setting whose runs are not all finished.
  static func ranks(_ means: SettingMeans) -> [Double?] {
    let identity = means.identity
    let settings = identity.settings.indices.filter(means.isWhole)
    // A setting without a value, such as one without any outline, is the last.
    let columns = scores(of: identity)
      .map { score in settings.map { means.value(.score(score), of: $0) ?? -.infinity } }
      .filter { $0.contains(where: \.isFinite) }
      .map(shares)
    var ranks = [Double?](repeating: nil, count: identity.settings.count)
    guard !columns.isEmpty else { return ranks }
    for (place, setting) in settings.enumerated() {
      ranks[setting] = columns.reduce(0) { $0 + $1[place] } / Double(columns.count)
    }
    return ranks
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
