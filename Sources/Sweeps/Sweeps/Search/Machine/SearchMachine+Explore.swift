extension SearchMachine {
  /// Successive halving over new settings of the Sobol sequence: after each rung the best quarter is
  /// scored on four times as many units.
  /// - Returns: the settings of the last rung, and its units; none if there are no new settings.
  mutating func explore<Failure>(
    upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> (pool: [Int], level: Int) {
    let available = limit - spent
    var rungs = ladder(from: firstRung, to: mostUnits)
    var count = affordable(rungs, available)
    // The few settings that every rung keeps would use the budget of the many, which are not scored then.
    while rungs.count > 2 && count < 2 << (2 * (rungs.count - 1)) {
      rungs.removeLast()
      count = affordable(rungs, available)
    }
    let settings = newSettings(count)
    guard !settings.isEmpty else { return ([], 1) }
    // A small space is scored on more units instead.
    if settings.count < count {
      while let longer = rungs.first.map({ ladder(from: $0 + 1, to: mostUnits) }), rungs[0] < mostUnits,
        price(settings.count, longer) <= available
      { rungs = longer }
    }
    var (left, level) = (settings, rungs[0])
    for (place, rung) in rungs.enumerated() {
      // The best may need longer to warm up than the mean that was reckoned with: then the last rung counts.
      let scored = try extend(left, rung, upTo: limit, score)
      if scored.isEmpty { return place == 0 ? ([], 1) : (left.filter { !hasFailed($0) }, level) }
      (left, level) = (scored, rung)
      if place < rungs.count - 1 { left = Array(ranked(left, rung).prefix(kept(left.count))) }
    }
    return (left, level)
  }

  private func affordable(_ rungs: [Int], _ available: Int) -> Int {
    var count = 0
    while price(count + 1, rungs) <= available && count < 1_000_000 { count += 1 }
    return count
  }

  private func kept(_ count: Int) -> Int { max(min(count, isFront ? 8 : 4), (count + 3) / 4) }

  private func price(_ count: Int, _ rungs: [Int]) -> Int {
    var (left, total, before) = (count, 0, 0)
    for rung in rungs {
      total += left * (costs[rung] - before)
      before = costs[rung]
      left = kept(left)
    }
    return total
  }

  /// Draws settings that were not touched before. The current values, the starts, and what is beside the current values
  /// come first.
  mutating func newSettings(_ count: Int) -> [Int] {
    var found: [Int] = []
    func isNew(_ point: SearchLattice.Point) -> Bool { numbers[point] == nil && problem.lattice.contains(point) }
    // Often only one parameter of the current values is wrong.
    let lattice = problem.lattice
    let beside = lattice.axes.indices.flatMap { axis in lattice.spread(axis: axis).map { lattice.origin.moved($0) } }
    let given = [lattice.origin] + problem.starts + (2 * beside.count <= count ? beside : [])
    for point in given where found.count < count && isNew(point) { found.append(number(point)) }
    var vain = 0
    while found.count < count && vain < 20_000 {
      let point = sobol.next()
      if isNew(point) {
        found.append(number(point))
        vain = 0
      } else {
        vain += 1
      }
    }
    return found
  }
}
