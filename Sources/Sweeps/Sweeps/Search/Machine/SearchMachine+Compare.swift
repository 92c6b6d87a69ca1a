extension SearchMachine {
  /// The fewest units that can show a difference.
  static let fewUnits = 3

  /// What a setting is worth on its first units.
  func value(_ setting: Int, _ unitCount: Int) -> SearchValue {
    let goal = problem.goal
    let recordingCount = (problem.units.map(\.recording).max() ?? 0) + 1
    var sums = goal.scores.map { _ in [SearchScore.Sum](repeating: .init(), count: recordingCount) }
    for (unit, score) in zip(problem.units, scores[setting].prefix(unitCount)) {
      guard case .scored(let values) = score else { continue }
      for place in values.indices {
        sums[place][unit.recording].total += values[place].total
        sums[place][unit.recording].count += values[place].count
      }
    }
    return goal.value { score in goal.scores.firstIndex(of: score).map { sums[$0].map(\.mean) } ?? [] }
  }

  func ranked(_ settings: [Int], _ unitCount: Int) -> [Int] {
    var seen: Set<Int> = []
    return SearchRanking.ranked(
      settings.filter { seen.insert($0).inserted && !hasFailed($0) }.map {
        SearchRanking.Entry(
          setting: $0, value: value($0, unitCount), distance: problem.lattice.distance(points[$0]))
      })
  }

  /// Whether a setting is worse than another in every goal by more than a standard error of the
  /// difference, unit by unit.
  func isWorse(_ setting: Int, than other: Int, _ unitCount: Int) -> Bool {
    let (own, others) = (value(setting, unitCount), value(other, unitCount))
    if others.isWithinLimits && !own.isWithinLimits { return true }
    guard others.isWithinLimits else { return false }
    return problem.goal.targets.allSatisfy { target in
      let losses = losses(setting, other, target, unitCount)
      guard losses.count > 1 else { return false }
      return losses.mean > losses.standardError * (1 + 4 / Double(losses.count))
    }
  }

  /// By how much a setting is worse than another, unit by unit.
  func losses(_ setting: Int, _ other: Int, _ target: SearchGoal.Target, _ unitCount: Int) -> [Double] {
    guard let place = problem.goal.scores.firstIndex(of: target.score) else { return [] }
    return zip(scores[setting].prefix(unitCount), scores[other].prefix(unitCount)).compactMap { own, others in
      guard case .scored(let a) = own, case .scored(let b) = others, let x = a[place].mean, let y = b[place].mean
      else { return nil }
      return target.wantsHigher ? y - x : x - y
    }
  }

  /// The first few, without those that have the scores of one before them on the first units, if these are enough to tell.
  func distinct(_ settings: [Int], _ unitCount: Int, upTo most: Int) -> [Int] {
    guard unitCount >= Self.fewUnits else { return Array(settings.prefix(most)) }
    var seen: Set<ArraySlice<SearchScore>> = []
    var found: [Int] = []
    for setting in settings where found.count < most {
      let own = scores[setting].prefix(unitCount)
      if !own.contains(where: \.hasValue) || seen.insert(own).inserted { found.append(setting) }
    }
    return found
  }

  /// Whether two settings have the same scores, to the bit, on the units that both were scored on.
  func areSame(_ setting: Int, _ other: Int) -> Bool {
    let count = min(scores[setting].count, scores[other].count)
    return count > 0 && scores[setting].prefix(count) == scores[other].prefix(count)
  }
}

extension [Double] {
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

  /// Of the mean of independent values; 0 for fewer than two.
  var standardError: Double {
    guard count > 1 else { return 0 }
    let mean = mean
    let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(count - 1) / Double(count)).squareRoot()
  }
}
