/// The search algorithm: decides which settings are scored on which units, and which are scored in
/// full in the end. The guide Search.md explains it.
///
/// A function of its inputs and of the scores that it is given, so the same on any number of threads
/// and machines. A search that was ended continues by running again with the scores that are stored.
package struct SearchMachine {
  package enum Mode: String, CaseIterable, Hashable, Sendable {
    case whole
    case explore
    case refine
  }

  package struct Problem: Sendable {
    package var lattice: SearchLattice
    /// In the order in which they are used: every prefix is spread over all recordings.
    package var units: [SearchUnit]
    /// Frames of one setting over everything that is played.
    package var wholeCost: Int
    package var goal: SearchGoal
    /// Frames played in all, with those that warm up.
    package var budget: Int
    package var seed: UInt64
    package var mode: Mode
    /// Points to begin with, besides the current values.
    package var starts: [SearchLattice.Point]
    /// What is played round a unit for a point.
    package var lead: @Sendable (SearchLattice.Point) -> SearchLead

    package init(
      lattice: SearchLattice, units: [SearchUnit], wholeCost: Int, goal: SearchGoal, budget: Int, seed: UInt64,
      mode: Mode = .whole, starts: [SearchLattice.Point] = [],
      lead: @escaping @Sendable (SearchLattice.Point) -> SearchLead = { _ in .most }
    ) {
      self.lead = lead
      (self.lattice, self.units, self.wholeCost, self.goal) = (lattice, units, wholeCost, goal)
      (self.budget, self.seed, self.mode, self.starts) = (budget, seed, mode, starts)
    }
  }

  package struct Outcome: Sendable {
    /// Every setting touched, in this order.
    package var points: [SearchLattice.Point]
    /// Settings to be scored in full, the most promising first.
    package var finalists: [Int]
    /// Frames played, with those of the finalists in full.
    package var cost: Int
    /// By axis: whether it changed any score, and whether it changed the scores of each finalist. Without any pair
    /// where every setting is a finalist.
    package var effects: [SearchEffect]
    package var finalistEffects: [[SearchEffect]]
    /// Frames that each setting was scored on, besides those of finalists in full.
    package var frameCounts: [Int]

    /// Whether the budget paid for every setting on all frames.
    package var isWholeGrid: Bool { frameCounts.allSatisfy { $0 == 0 } && finalists.count == points.count }
  }

  let problem: Problem
  /// Mean cost of the first n units of one setting, by n.
  let costs: [Int]
  /// The same of settings with a lead, which is also that of a touched setting, by number.
  private var costsByLead: [SearchLead: [Int]] = [:]
  private var leads: [SearchLead] = []
  /// Settings that the mean is of.
  private static let sampleCount = 64
  /// Units whose cost is at most half of that of all frames; from there on, all frames are next.
  let mostUnits: Int
  var sobol: SobolPoints
  var points: [SearchLattice.Point] = []
  var numbers: [SearchLattice.Point: Int] = [:]
  /// By setting, then unit.
  var scores: [[SearchScore]] = []
  /// Whether a setting with it could be played, for each level tried of an axis without order.
  private(set) var isPlayable: [SearchLattice.Move: Bool] = [:]
  var spent = 0

  package init(_ problem: Problem) {
    self.problem = problem
    var points = SobolPoints(problem.lattice.axes, seed: problem.seed)
    var (costs, byLead) = ([Int](repeating: 0, count: problem.units.count + 1), [SearchLead: [Int]]())
    for _ in 0..<Self.sampleCount {
      let lead = problem.lead(points.next())
      let own = byLead[lead] ?? Self.costs(problem.units, lead)
      byLead[lead] = own
      for count in costs.indices { costs[count] += own[count] }
    }
    costs = costs.map { ($0 + Self.sampleCount - 1) / Self.sampleCount }
    (self.costs, costsByLead) = (costs, byLead)
    let half = costs.lastIndex { $0 <= (problem.wholeCost + 1) / 2 } ?? 0
    mostUnits = max(1, min(problem.units.count, half))
    sobol = SobolPoints(problem.lattice.axes, seed: problem.seed)
  }

  private static func costs(_ units: [SearchUnit], _ lead: SearchLead) -> [Int] {
    units.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.played(lead).count) }
  }

  /// Kept for the finish, in frames.
  private var reserve: Int { max(min(2 * problem.wholeCost, problem.budget / 2), problem.budget / 5) }

  /// What is kept where settings are scored on all frames: for two finalists and the current values.
  private var leastReserve: Int { min(3 * problem.wholeCost, reserve) }

  /// - Parameter score: returns a score for each setting and unit of a rung, in its order.
  package mutating func run<Failure>(
    _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> Outcome {
    if let all = problem.lattice.allowedPoints(upTo: problem.budget / max(1, problem.wholeCost)) {
      // Nothing is to be decided where the budget pays for every setting.
      return outcome(all.map { number($0) })
    }
    let limit = problem.budget - reserve
    // Up to here the search is wide; with the rest it is accurate.
    let wide = problem.mode == .explore ? limit : limit * 2 / 5
    var candidates: [Int] = []
    var level = min(mostUnits, 4)
    while problem.mode != .refine && spent < wide {
      let share = problem.mode == .explore ? wide - spent : (wide - spent) / 2
      let explored = try explore(upTo: spent + share, score)
      if explored.pool.isEmpty { break }
      let found =
        problem.mode == .explore ? explored : try refine(explored.pool, level: explored.level, upTo: wide, score)
      candidates += distinct(ranked(found.pool, found.level), found.level, upTo: isFront ? 24 : 6)
      level = max(level, found.level)
      // Less would explore only a few settings.
      if problem.mode == .explore || wide - spent < problem.budget / 10 { break }
    }
    if problem.mode == .refine {
      candidates = (problem.starts + [problem.lattice.origin]).filter(problem.lattice.contains).map { number($0) }
      let found = try refine(candidates, level: level, upTo: wide, score)
      if !found.pool.isEmpty { (candidates, level) = (found.pool, found.level) }
    }
    // Where a single unit costs more than exploring may.
    if candidates.isEmpty { candidates = newSettings(1) }
    if problem.mode != .explore {
      let found = try refineFurther(candidates, level, upTo: limit, score)
      if !found.pool.isEmpty { (candidates, level) = (found.pool, found.level) }
    }
    return try finish(candidates, level: level, score)
  }

  /// Refines the best of all starts on all frames, since few frames may decide the mean; on fewer where the budget
  /// pays for a front or for few settings.
  private mutating func refineFurther<Failure>(
    _ candidates: [Int], _ level: Int, upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> (pool: [Int], level: Int) {
    guard !isFront, leastReserve < reserve else { return try refine(candidates, level: level, upTo: limit, score) }
    let pool = try extend(candidates, level, upTo: limit, score)
    return try refine(
      distinct(ranked(pool, level), level, upTo: 3), level: problem.units.count, upTo: problem.budget - leastReserve,
      score)
  }

  var isFront: Bool { problem.goal.targets.count > 1 }

  /// The number of a point, which is touched if it was not.
  mutating func number(_ point: SearchLattice.Point) -> Int {
    if let number = numbers[point] { return number }
    numbers[point] = points.count
    points.append(point)
    scores.append([])
    let lead = problem.lead(point)
    leads.append(lead)
    if costsByLead[lead] == nil { costsByLead[lead] = Self.costs(problem.units, lead) }
    return points.count - 1
  }

  // MARK: Scoring

  func hasFailed(_ setting: Int) -> Bool { scores[setting].last == .failed }

  /// What scoring settings on the first units still costs.
  func cost(_ settings: [Int], _ unitCount: Int) -> Int {
    settings.reduce(0) { $0 + price($1, unitCount).frames }
  }

  /// All units are played in one go where that costs less.
  private func price(_ setting: Int, _ unitCount: Int) -> (frames: Int, isWhole: Bool) {
    let costs = costsByLead[leads[setting]] ?? costs
    let units = max(0, costs[unitCount] - costs[min(unitCount, scores[setting].count)])
    let isWhole = unitCount == problem.units.count && units > problem.wholeCost
    return (isWhole ? problem.wholeCost : units, isWhole)
  }

  /// Scores settings on the first units, where they are not scored yet.
  /// - Parameter limit: settings from the first one on that it does not pay for are left out.
  /// - Returns: the settings that are scored on all of these units.
  mutating func extend<Failure>(
    _ settings: [Int], _ unitCount: Int, upTo limit: Int, _ score: (SearchRung) throws(Failure) -> [SearchScore]
  ) throws(Failure) -> [Int] {
    var rung = SearchRung(parts: [])
    var taken: [Int] = []
    for setting in settings where !hasFailed(setting) {
      let (frames, isWhole) = price(setting, unitCount)
      guard spent + frames <= limit else { break }
      spent += frames
      taken.append(setting)
      guard frames > 0 else { continue }
      let units = isWhole ? unitCount..<2 * unitCount : scores[setting].count..<unitCount
      rung.parts.append(SearchRung.Part(setting: setting, point: points[setting], units: units))
    }
    if !rung.parts.isEmpty {
      var answers = try score(rung)[...]
      for part in rung.parts {
        if part.units.lowerBound == problem.units.count { scores[part.setting] = [] }
        for _ in part.units {
          guard let answer = answers.popFirst() else { preconditionFailure("a rung was answered in part") }
          if !hasFailed(part.setting) { scores[part.setting].append(answer) }
        }
        for (axis, level) in part.point.enumerated() where !problem.lattice.axes[axis].isOrdered {
          let choice = SearchLattice.Move(axis: axis, level: level)
          isPlayable[choice] = isPlayable[choice] == true || !hasFailed(part.setting)
        }
      }
    }
    return taken.filter { !hasFailed($0) }
  }

  /// Unit counts of the rungs up to a level: each has four times as many units as the last.
  func ladder(from first: Int, to last: Int) -> [Int] {
    var rungs: [Int] = []
    var count = max(1, first)
    while count < last {
      rungs.append(count)
      count *= 4
    }
    // Two rungs of nearly the same length would decide the same twice.
    if let before = rungs.last, before * 3 > last * 2 { rungs.removeLast() }
    // Beyond half of all frames, all frames are next.
    rungs.removeAll { $0 > mostUnits && $0 < last }
    return rungs + [max(1, last)]
  }

  /// Fewer say nothing of the worst recording.
  var firstRung: Int {
    guard problem.goal.recordings == .worst else { return 1 }
    return min(mostUnits, Set(problem.units.map(\.recording)).count)
  }
}
