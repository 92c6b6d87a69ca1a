extension SearchMachine {
  /// Halves the candidates on more units, moves the best towards the current values where that costs
  /// nothing, and names those to be scored in full.
  mutating func finish<Failure>(
    _ candidates: [Int], level start: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> Outcome {
    var level = start
    let whole = max(1, problem.wholeCost)
    // The current values are scored for comparison where that leaves enough for the search.
    let current = problem.lattice.origin
    let isCompared = problem.lattice.contains(current) && problem.budget >= 20 * whole
    let limit = problem.budget - (isCompared ? whole : 0)
    // Settings that were played in full are ranked as they will be in the end.
    let most = isFront ? 12 : level == problem.units.count ? 2 : 8
    // One less than can be paid for, since what is screened costs too.
    let wholeCount = max(1, min(most, (limit - spent) / whole - 1))
    // At least one setting is scored in full, even if the budget ends here.
    let screening = max(spent, limit - wholeCount * whole)
    var left = try extend(
      Array(ranked(candidates, level).prefix(isFront ? 24 : 12)), level, upTo: screening, score)
    if left.isEmpty { left = Array(ranked(candidates, 1).prefix(wholeCount)) }
    var dropped: [Int] = []
    while left.count > wholeCount && level < mostUnits {
      let longer = min(4 * level, mostUnits)
      guard spent + cost(left, longer) <= screening else { break }
      left = try extend(left, longer, upTo: screening, score)
      level = longer
      let order = ranked(left, level)
      left = Array(order.prefix(max(wholeCount, (left.count + 1) / 2)))
      dropped.insert(contentsOf: order.dropFirst(left.count), at: 0)
    }
    var finalists = ranked(left, level)
    if let best = finalists.first, !isFront {
      let near = try simplified(best, level, upTo: screening, score)
      if near != best {
        finalists.removeAll { $0 == near }
        // Beside the best, so that both are compared on all frames.
        finalists.insert(near, at: wholeCount > 1 ? 1 : 0)
      }
    }
    // What screening left over pays for more.
    let count = max(wholeCount, min(most, (limit - spent) / whole))
    finalists += dropped.filter { !finalists.contains($0) }
    finalists = Array(finalists.prefix(count))
    if isCompared, !finalists.contains(where: { points[$0] == current }) { finalists.append(number(current)) }
    return outcome(finalists)
  }

  mutating func outcome(_ finalists: [Int]) -> Outcome {
    spent += finalists.count * problem.wholeCost
    let effects = effects(of: finalists)
    return Outcome(
      points: points, finalists: finalists, cost: spent, effects: effects.all, finalistEffects: effects.each,
      frameCounts: scores.map { list in problem.units.prefix(list.count).reduce(0) { $0 + $1.frames.count } })
  }

  /// Sets one parameter after the other back to its current value, where the score does not get
  /// worse by more than a standard error.
  private mutating func simplified<Failure>(
    _ best: Int, _ level: Int, upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> Int {
    var current = best
    for axis in problem.lattice.axes.indices where points[current][axis] != problem.lattice.origin[axis] {
      var point = points[current]
      point[axis] = problem.lattice.origin[axis]
      guard problem.lattice.contains(point) else { continue }
      let candidate = number(point)
      var isEqual = true
      for rung in ladder(from: firstRung, to: level) where isEqual {
        isEqual = try !extend([candidate], rung, upTo: limit, score).isEmpty
        // The current setting is scored on as many units as the best.
        isEqual = isEqual && !isWorse(candidate, than: best, rung) && isClose(candidate, best, rung)
      }
      if isEqual { current = candidate }
    }
    return current
  }

  /// Whether a setting is at most 0.25 % worse.
  private func isClose(_ setting: Int, _ best: Int, _ unitCount: Int) -> Bool {
    guard let own = value(setting, unitCount).goals[0], let other = value(best, unitCount).goals[0] else {
      return false
    }
    return unitCount < 4 || other - own <= SearchTie.share * other.magnitude
  }
}

/// When two settings are taken for equal, and the nearer one to the current values is preferred.
enum SearchTie {
  /// Of the better one's score.
  static let share = 0.0025
}
