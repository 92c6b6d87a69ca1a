import Support

extension SearchMachine {
  /// Local search round the best settings by single and paired moves. When the best have nothing new
  /// beside them, they are ranked again on twice as many units, and steps get shorter.
  /// - Parameter level: units on which the settings of the pool are scored, or are to be.
  mutating func refine<Failure>(
    _ start: [Int], level startLevel: Int, upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> (pool: [Int], level: Int) {
    var level = startLevel
    var stage = 0
    var expanded: Set<Expansion> = []
    var pool = try extend(start, level, upTo: limit, score)
    while !pool.isEmpty {
      let steps = problem.lattice.steps(stage: stage)
      let best = ranked(pool, level)
      if let next = best.prefix(isFront ? 8 : 3).first(where: { !expanded.contains(Expansion($0, steps)) }) {
        expanded.insert(Expansion(next, steps))
        guard let new = try screen(round: next, steps, known: Set(pool), level, upTo: limit, score) else { break }
        pool += new
        continue
      }
      let isFinest = problem.lattice.steps(stage: stage + 1) == steps
      if level == mostUnits && isFinest { break }
      stage += 1
      let longer = min(2 * level, mostUnits)
      let finalists = Array(best.prefix(isFront ? 16 : 6))
      guard spent + cost(finalists, longer) <= limit else { break }
      pool = try extend(finalists, longer, upTo: limit, score)
      level = longer
    }
    return (pool, level)
  }

  private struct Expansion: Hashable {
    var setting: Int
    var steps: [Int]
    init(_ setting: Int, _ steps: [Int]) { (self.setting, self.steps) = (setting, steps) }
  }

  /// Scores the neighbours of a setting in rungs, and drops those that are worse than it.
  /// - Returns: the neighbours left, scored on the level's units; nil if the budget is used.
  private mutating func screen<Failure>(
    round setting: Int, _ steps: [Int], known: Set<Int>, _ level: Int, upTo limit: Int,
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int]? {
    let rungs = ladder(from: firstRung, to: level)
    let point = points[setting]
    let axes = problem.lattice.axes.indices
    // Single moves first: an axis without effect on the first units is left out of pairs.
    var singles: [(axis: Int, settings: [Int])] = []
    for axis in axes {
      let moved = problem.lattice.moves(from: point, axis: axis, steps: steps).map { point.moved($0) }
      singles.append((axis, moved.filter(problem.lattice.contains).map { number($0) }))
    }
    let wanted = singles.flatMap(\.settings)
    var alive = try extend(wanted, rungs[0], upTo: limit, score)
    guard alive.count == wanted.count(where: { !hasFailed($0) }) else { return nil }
    let active = singles.filter { single in
      single.settings.isEmpty || !single.settings.allSatisfy { hasFailed($0) || areSame($0, setting) }
    }.map(\.axis)
    let pairs = neighbours(setting, active, steps)
    let most = max(wanted.count, (limit - spent) / 4 / max(1, costs[rungs[0]]))
    alive += try extend(Array(pairs.prefix(most)), rungs[0], upTo: limit, score)
    for rung in rungs {
      if rung != rungs[0] {
        let count = alive.count
        alive = try extend(alive, rung, upTo: limit, score)
        if alive.isEmpty && count > 0 { return nil }
      }
      let isLast = rung == level
      alive = alive.filter { other in
        !known.contains(other) && !isWorse(other, than: setting, rung) && !isFartherTwin(other, of: setting)
      }
      alive = Array(ranked(alive, rung).prefix(isLast ? alive.count : (alive.count + 3) / 4))
      if alive.isEmpty { break }
    }
    return alive
  }

  /// Whether a setting has the scores of another and is no nearer to the current values.
  private func isFartherTwin(_ setting: Int, of other: Int) -> Bool {
    guard areSame(setting, other) else { return false }
    return problem.lattice.distance(points[other]) <= problem.lattice.distance(points[setting])
  }

  /// Pairs of moves on two axes, in an order that favours no axis, so that a budget may cut it.
  private mutating func neighbours(_ setting: Int, _ axes: [Int], _ steps: [Int]) -> [Int] {
    let point = points[setting]
    var found: [SearchLattice.Point] = []
    for (place, first) in axes.enumerated() {
      for second in axes[(place + 1)...] {
        for a in problem.lattice.moves(from: point, axis: first, steps: steps) {
          for b in problem.lattice.moves(from: point, axis: second, steps: steps) {
            let moved = point.moved(a, b)
            if problem.lattice.contains(moved) { found.append(moved) }
          }
        }
      }
    }
    var random = SeededGenerator(seed: SeededGenerator.hash(problem.seed, UInt64(setting), 0x9A12))
    for i in stride(from: found.count - 1, to: 0, by: -1) { found.swapAt(i, random.next(below: i + 1)) }
    // More than can be paid for are not even numbered.
    return found.prefix(4096).map { number($0) }
  }
}
