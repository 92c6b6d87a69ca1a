import Support

extension SearchMachine {
  /// Local search round the best settings: by moves along one axis first, by pairs of moves where
  /// these find nothing. When the best have nothing new beside them, they are ranked again on twice as
  /// many units, which judge their neighbours again too, and steps get shorter.
  /// - Parameters:
  ///   - first: units on which the settings of the pool are scored, or are to be.
  mutating func refine<Failure>(
    _ start: [Int], level first: Int, upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> (pool: [Int], level: Int) {
    var level = first
    var stage = 0
    var width = isFront ? 8 : 1
    var expanded: Set<Expansion> = []
    var pool = try extend(start, level, upTo: limit, score)
    while !pool.isEmpty {
      let steps = problem.lattice.steps(stage: stage)
      let best = distinct(ranked(pool, level), level, upTo: max(2 * width, isFront ? 16 : 6))
      if let next = next(best.prefix(width), steps, level, expanded) {
        expanded.insert(next)
        let moved = next.isPaired ? pairs(next.setting, steps) : inTurn(singles(next.setting, steps), by: 2)
        guard let new = try screen(moved, beside: next.setting, Set(pool), level, upTo: limit, score) else { break }
        pool += new
        if !next.isPaired && !isFront {
          pool += try leap(from: next.setting, new, Set(pool), level, upTo: limit, score)
        }
        continue
      }
      let isFinest = problem.lattice.steps(stage: stage + 1) == steps
      if level == problem.units.count && isFinest {
        // The budget is not used: what is beside the next best is tried too.
        guard width < best.count else { break }
        width *= 2
        continue
      }
      stage += 1
      let longer = 2 * level <= mostUnits ? 2 * level : problem.units.count
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
    var isPaired: Bool
    var level: Int
  }

  private func next(
    _ best: ArraySlice<Int>, _ steps: [Int], _ level: Int, _ expanded: Set<Expansion>
  ) -> Expansion? {
    for isPaired in [false, true] {
      for setting in best {
        let expansion = Expansion(setting: setting, steps: steps, isPaired: isPaired, level: level)
        if !expanded.contains(expansion) { return expansion }
      }
    }
    return nil
  }

  /// Scores neighbours of a setting in rungs, and drops those that are worse than it.
  /// - Returns: the neighbours left, scored on the level's units; nil if the budget is used.
  private mutating func screen<Failure>(
    _ moved: [SearchLattice.Point], beside setting: Int, _ known: Set<Int>, _ level: Int, upTo limit: Int,
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int]? {
    // A quarter of the level's units drops most neighbours; half of them where frames that warm up make a quarter cost
    // nearly as much as all frames.
    let least = costs[level / 4] * 3 <= problem.wholeCost ? level / 4 : level / 2
    let rungs = ladder(from: max(firstRung, min(Self.fewUnits, level), least), to: level)
    // A fair part of what is left, in an order that favours no axis.
    let most = max(2 * problem.lattice.axes.count, (limit - spent) / 4 / max(1, costs[rungs[0]]))
    var alive: [Int] = []
    for point in moved where alive.count < most && problem.lattice.contains(point) && !isInVain(point, setting) {
      let other = number(point)
      if !known.contains(other) { alive.append(other) }
    }
    if rungs == [level] && level > Self.fewUnits && !isFront {
      return try screenInHalves(alive, beside: setting, level, upTo: limit, score)
    }
    for rung in rungs {
      guard let left = try drop(alive, beside: setting, rung, upTo: limit, score) else { return nil }
      alive = left
      if rung < level { alive = Array(ranked(alive, rung).prefix(max(4, (alive.count + 3) / 4))) }
    }
    return alive
  }

  /// Scores neighbours on the level's units, the more promising half first, as far as a few units tell: one that is better
  /// is enough.
  private mutating func screenInHalves<Failure>(
    _ moved: [Int], beside setting: Int, _ level: Int, upTo limit: Int,
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int]? {
    let known = ranked(moved.filter { scores[$0].count >= Self.fewUnits }, Self.fewUnits)
    let order = known + moved.filter { !known.contains($0) && !hasFailed($0) }
    let half = max(Self.fewUnits, (order.count + 1) / 2)
    var found: [Int] = []
    for part in [order.prefix(half), order.dropFirst(half)] where !part.isEmpty {
      guard let left = try drop(Array(part), beside: setting, level, upTo: limit, score) else {
        return found.isEmpty ? nil : found
      }
      found += left
      if ranked(found + [setting], level)[0] != setting { break }
    }
    return found
  }

  /// Scores settings on the first units.
  /// - Returns: those that are not worse than a setting; nil if the budget is used.
  private mutating func drop<Failure>(
    _ others: [Int], beside setting: Int, _ unitCount: Int, upTo limit: Int,
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int]? {
    let (wanted, before) = (others.count { !hasFailed($0) }, spent)
    let scored = try extend(others, unitCount, upTo: limit, score)
    // Where something was paid, all of it failed.
    if scored.isEmpty && wanted > 0 && spent == before { return nil }
    return scored.filter { !isWorse($0, than: setting, unitCount) && !isFartherTwin($0, of: setting) }
  }

  /// Tries moves that helped together, and goes on in the same direction while that helps.
  /// - Parameter new: neighbours by one move that were not dropped.
  private mutating func leap<Failure>(
    from start: Int, _ new: [Int], _ known: Set<Int>, _ level: Int, upTo limit: Int,
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int] {
    let axes = problem.lattice.axes
    let helped = ranked(new + [start], level).prefix { $0 != start }
    guard var best = helped.first else { return [] }
    var from = points[start]
    // The best move of each axis, added one after the other; all of them first.
    var (sum, tried) = (from, [SearchLattice.Point]())
    for other in helped {
      guard let axis = axes.indices.first(where: { points[other][$0] != from[$0] }), sum[axis] == from[axis] else {
        continue
      }
      sum[axis] = points[other][axis]
      if other != best { tried.insert(sum, at: 0) }
    }
    var (known, found) = (known, [Int]())
    while let more = try screen(tried, beside: best, known, level, upTo: limit, score) {
      known.formUnion(more)
      found += more
      let next = ranked(more + [best], level)[0]
      if next == best && from != points[start] { break }
      best = next
      let point = points[best]
      let ahead = axes.indices.map { axis in
        axes[axis].isOrdered ? min(max(0, 2 * point[axis] - from[axis]), axes[axis].levelCount - 1) : point[axis]
      }
      if ahead == point { break }
      (from, tried) = (point, [ahead])
    }
    return found
  }

  /// Whether a setting has the scores of another and is no nearer to the current values.
  private func isFartherTwin(_ setting: Int, of other: Int) -> Bool {
    guard areSame(setting, other) else { return false }
    return problem.lattice.distance(points[other]) <= problem.lattice.distance(points[setting])
  }

  /// Single moves, by axis.
  private func singles(_ setting: Int, _ steps: [Int]) -> [[SearchLattice.Point]] {
    let point = points[setting]
    return problem.lattice.axes.indices.map { axis in
      problem.lattice.moves(from: point, axis: axis, steps: steps).map { point.moved($0) }
    }
  }

  /// Whether a point has a choice beside a setting's that failed wherever it was tried.
  private func isInVain(_ point: SearchLattice.Point, _ setting: Int) -> Bool {
    point.indices.contains { axis in
      guard !problem.lattice.axes[axis].isOrdered, point[axis] != points[setting][axis] else { return false }
      let choice = SearchLattice.Move(axis: axis, level: point[axis])
      return isPlayable[choice] == false
    }
  }

  /// The first few of each list, then the next few of each, and so on.
  private func inTurn<Element>(_ lists: [[Element]], by few: Int = 1) -> [Element] {
    stride(from: 0, to: lists.map(\.count).max() ?? 0, by: few).flatMap { place in
      lists.flatMap { $0.dropFirst(place).prefix(few) }
    }
  }

  /// Pairs of moves on two axes: those first of which each move alone costs least, of equal ones in drawn order. An axis
  /// without effect here is left alone, except beside moves that may give it one: in turn with the others come these,
  /// with levels of all of the axis, since none is near.
  private func pairs(_ setting: Int, _ steps: [Int]) -> [SearchLattice.Point] {
    let (point, lattice) = (points[setting], problem.lattice)
    let neighbours = singles(setting, steps).map { moved in
      moved.compactMap { numbers[$0] }.filter { !scores[$0].isEmpty }
    }
    let isIdle = neighbours.map { known in
      let played = known.filter { !hasFailed($0) }
      return !played.isEmpty && played.allSatisfy { areSame($0, setting) }
    }
    let isActive = neighbours.indices.map { axis in
      !isIdle[axis] && (neighbours[axis].isEmpty || !neighbours[axis].allSatisfy(hasFailed))
    }
    var (waking, found): ([SearchLattice.Point], [SearchLattice.Point]) = ([], [])
    for first in isActive.indices where isActive[first] {
      let moves = lattice.moves(from: point, axis: first, steps: steps)
      for second in isIdle.indices where isIdle[second] && lattice.mayWake(point, axis: first) {
        for a in moves {
          for b in lattice.spread(axis: second) { waking.append(point.moved(a, b)) }
        }
      }
      for second in isActive.indices.dropFirst(first + 1) where isActive[second] {
        for a in moves {
          for b in lattice.moves(from: point, axis: second, steps: steps) { found.append(point.moved(a, b)) }
        }
      }
    }
    var random = SeededGenerator(seed: SeededGenerator.hash(problem.seed, UInt64(setting), 0x9A12))
    for i in stride(from: found.count - 1, to: 0, by: -1) { found.swapAt(i, random.next(below: i + 1)) }
    if !isFront {
      let losses = found.map { loss(of: $0, beside: setting) }
      found = found.indices.sorted { (losses[$0], $0) < (losses[$1], $1) }.map { found[$0] }
    }
    return inTurn([waking, found])
  }

  /// By how much each of the moves to a point is worse by itself, added.
  private func loss(of point: SearchLattice.Point, beside setting: Int) -> Double {
    let from = points[setting]
    return point.indices.filter { point[$0] != from[$0] }.reduce(0) { sum, axis in
      guard let other = numbers[from.moved(.init(axis: axis, level: point[axis]))], !hasFailed(other) else {
        return .infinity
      }
      let losses = losses(other, setting, problem.goal.targets[0], problem.units.count)
      return losses.isEmpty ? .infinity : sum + losses.mean
    }
  }
}
