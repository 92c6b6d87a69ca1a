import FrameModel
import Support
import Sweeps
import Testing

/// The search algorithm, on made-up tables of 1,000 settings.
@Suite struct SearchMachineTests {
  @Test(arguments: [[8, 1, 4, 1, 1], [0, 0, 0, 0, 0], [9, 4, 4, 1, 0], [3, 3, 1, 0, 1]])
  func `a planted optimum is found with 3 % of the settings and frames, by 19 of 20 seeds`(best: [Int]) {
    let table = SearchTable(score: SearchTable.planted(at: best))
    let value = table.means(best)[0]
    var found = 0
    for seed in 0..<20 {
      let outcome = table.search(table.problem(seed: UInt64(seed)))
      let winner = outcome.finalists.map { table.means(outcome.points[$0])[0] }.max() ?? 0
      if winner >= value * 0.99 { found += 1 }
    }
    #expect(found >= 19, "\(found) of 20")
  }

  @Test func `with too small a budget for the table it finds less, so that the test above can fail`() {
    let best = [8, 1, 4, 1, 1]
    let table = SearchTable(score: SearchTable.planted(at: best, noise: 0.4))
    let outcomes = (0..<20).map { table.search(table.problem(seed: UInt64($0), share: 0.5)) }
    let found = outcomes.count { outcome in
      outcome.finalists.contains { table.means(outcome.points[$0])[0] >= table.means(best)[0] * 0.99 }
    }
    #expect(found < 19)
  }

  @Test(arguments: [[9, 4, 4, 1, 0], [8, 4, 1, 1, 1], [2, 3, 4, 0, 0]])
  func `where the best settings warm up longest, the budget is used and they are found`(best: [Int]) {
    var table = SearchTable(score: SearchTable.planted(at: best, noise: 0.2, slope: 0.05))
    (table.unitLength, table.warmUp) = (4, 20)
    let value = table.means(best)[0]
    var found = 0
    for seed in 0..<20 {
      var problem = table.problem(seed: UInt64(seed), share: 5)
      problem.lead = { SearchLead(warmUp: [0, 2, 4, 9, 20][$0[1]], runOut: 0) }
      let outcome = table.search(problem)
      let winner = outcome.finalists.map { table.means(outcome.points[$0])[0] }.max() ?? 0
      if winner >= value * 0.99 { found += 1 }
      #expect(outcome.cost * 100 >= problem.budget * 85, "\(seed): \(outcome.cost) of \(problem.budget)")
    }
    #expect(found >= 19, "\(found) of 20")
  }

  @Test(arguments: SearchMachine.Mode.allCases, [0.4, 0.5, 1.0, 3.0, 10.0, 100.0])
  func `the budget is never exceeded, and only frames that were played count`(
    mode: SearchMachine.Mode, share: Double
  ) {
    for (length, warmUp) in [(1, 0), (2, 1), (4, 8), (6, 2), (4, 120)] {
      var table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
      (table.unitLength, table.warmUp) = (length, warmUp)
      let problem = table.problem(seed: 3, share: share, mode: mode)
      var machine = SearchMachine(problem)
      var played = 0
      let outcome = machine.run { rung in
        for part in rung.parts {
          if part.units.lowerBound == problem.units.count {
            played += problem.wholeCost
          } else {
            for unit in part.units { played += problem.units[unit].cost }
          }
        }
        return table.answers(rung, problem)
      }
      #expect(outcome.cost == played + outcome.finalists.count * problem.wholeCost)
      #expect(outcome.cost <= problem.budget, "\(length) \(warmUp)")
      #expect(!outcome.finalists.isEmpty)
    }
  }

  @Test func `a budget that pays for every setting scores them all on all frames, and plays nothing else`() {
    let table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    for share in [100.0, 99.9] {
      var rungCount = 0
      let problem = table.problem(seed: 3, share: share)
      var machine = SearchMachine(problem)
      let outcome = machine.run { rung in
        rungCount += 1
        return table.answers(rung, problem)
      }
      #expect(outcome.isWholeGrid == (share == 100) && (rungCount == 0) == (share == 100))
      if outcome.isWholeGrid {
        #expect(Set(outcome.finalists.map { outcome.points[$0] }) == Set(allPoints(table)))
      }
    }
  }

  @Test(arguments: [0.5, 0.8, 1.0]) func `a small budget is not left over for lack of finalists`(share: Double) {
    let table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    for seed in 0..<5 {
      let problem = table.problem(seed: UInt64(seed), share: share)
      let outcome = table.search(problem)
      let left = (problem.budget - outcome.cost) / problem.wholeCost
      #expect(
        left == 0 || outcome.finalists.count >= 8, "\(seed): \(left) settings left, \(outcome.finalists.count) scored")
    }
  }

  @Test(arguments: [2.0, 3, 5, 10]) func `with twenty settings to spend, the current values are scored in full`(
    share: Double
  ) {
    let table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1], noise: 0.2))
    for seed in 0..<20 {
      let problem = table.problem(seed: UInt64(seed), share: share)
      let outcome = table.search(problem)
      #expect(outcome.finalists.contains { outcome.points[$0] == table.origin }, "\(seed)")
      #expect(outcome.cost <= problem.budget)
    }
  }

  @Test func `ended after any rung and begun again with the scores it has, it decides the same`() {
    var table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    (table.unitLength, table.warmUp) = (4, 8)
    let problem = table.problem(seed: 5)
    var rungs: [SearchRung] = []
    var machine = SearchMachine(problem)
    let whole = machine.run { rung in
      rungs.append(rung)
      return table.answers(rung, problem)
    }
    #expect(rungs.count > 10)
    for kept in rungs.indices {
      struct Ended: Error {}
      var first = SearchMachine(problem)
      var count = 0
      #expect(throws: Ended.self) {
        _ = try first.run { rung throws(Ended) in
          guard count < kept else { throw Ended() }
          count += 1
          return table.answers(rung, problem)
        }
      }
      var again: [SearchRung] = []
      var second = SearchMachine(problem)
      let outcome = second.run { rung in
        again.append(rung)
        return table.answers(rung, problem)
      }
      #expect(again == rungs)
      #expect(outcome.points == whole.points && outcome.finalists == whole.finalists && outcome.cost == whole.cost)
    }
  }

  @Test func `no setting is scored twice on a unit, except when all frames are played in one go`() {
    var table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    (table.unitLength, table.warmUp) = (4, 8)
    let problem = table.problem(seed: 9, share: 10)
    var seen: Set<[Int]> = []
    var machine = SearchMachine(problem)
    _ = machine.run { rung in
      for part in rung.parts {
        for unit in part.units { #expect(seen.insert([part.setting, unit]).inserted) }
      }
      return table.answers(rung, problem)
    }
    #expect(seen.contains { $0[1] >= problem.units.count })
  }

  @Test func `limits count in every rung: the best within them is found, not the best`() {
    // The second score rises with the first axis, and the limit excludes the planted optimum.
    let planted = SearchTable.planted(at: [8, 2, 2, 1, 1])
    var table = SearchTable { point, recording, frame in
      planted(point, recording, frame) + [Double(point[0]) + SearchTable.noise(point, recording, frame + 1000)]
    }
    table.goal = SearchGoal(
      [.init(score: .iou, wantsHigher: true)], limits: (try? SweepChoice("flicker<5.5,iou"))?.limits ?? [])
    let best = allPoints(table).filter { table.means($0)[1] < 5.5 }.map { table.means($0)[0] }.max() ?? 0
    var found = 0
    for seed in 0..<20 {
      let outcome = table.search(table.problem(seed: UInt64(seed)))
      let within = outcome.finalists.map { table.means(outcome.points[$0]) }.filter { $0[1] < 5.5 }
      #expect(!within.isEmpty)
      if (within.map { $0[0] }.max() ?? 0) >= best * 0.99 { found += 1 }
    }
    #expect(found >= 19, "\(found) of 20")
  }

  @Test func `a parameter without effect is recognised and keeps its current value`() {
    let planted = SearchTable.planted(at: [8, 1, 0, 0, 0])
    // The third and the fourth axis change nothing.
    let table = SearchTable { point, recording, frame in
      planted([point[0], point[1], 0, 0, point[4]], recording, frame)
    }
    for seed in 0..<10 {
      let outcome = table.search(table.problem(seed: UInt64(seed)))
      #expect(outcome.effects.map(\.isNone) == [false, false, true, true, false])
      let winner = outcome.points[outcome.finalists[0]]
      let near = outcome.finalists.map { outcome.points[$0] }.filter {
        table.means($0) == table.means(winner)
      }
      #expect(near.contains { $0[2] == table.origin[2] && $0[3] == table.origin[3] }, "\(seed): \(near)")
    }
  }

  @Test(arguments: [false, true]) func `a choice that is good with one value of another parameter only is found`(
    isNumber: Bool
  ) {
    // The second axis has an effect only where the fourth is on, and is good there at one end: by a single move from
    // where it is off, everything is worse.
    let planted = SearchTable.planted(at: [8, 0, 4, 0, 1], slope: 0.03)
    var table = SearchTable { point, recording, frame in
      let isOn = point[3] == 1
      let gain = isOn ? 0.1 - 0.05 * Double(point[1]) : 0
      return planted([point[0], 0, point[2], 0, point[4]], recording, frame).map { ($0 ?? 0) + gain }
    }
    (table.axes[3].isOrdered, table.axes[3].beginsAtZero) = (isNumber, isNumber)
    table.origin = [8, 4, 4, 0, 1]
    for seed in 0..<10 {
      let outcome = table.search(table.problem(seed: UInt64(seed), mode: .refine))
      #expect(outcome.points[outcome.finalists[0]] == [8, 0, 4, 1, 1], "\(seed)")
    }
  }

  @Test func `a pair of moves is found beside parameters without effect`() {
    // The second and the third axis must rise together; another level of the first is worse, and the last two have no
    // effect.
    var table = SearchTable { point, recording, frame in
      let (a, b) = (Double(point[1]), Double(point[2]))
      let noise = 0.002 * SearchTable.noise(Array(point[0...2]), recording, frame)
      return [0.5 - 0.05 * abs(a - b) + 0.01 * (a + b) - (point[0] > 0 ? 0.3 : 0) + noise]
    }
    table.axes = [(5, false), (12, true), (12, true), (9, true), (9, true)].map {
      SearchLattice.Axis(levelCount: $0.0, isOrdered: $0.1)
    }
    table.origin = [0, 3, 3, 4, 4]
    for seed in 0..<10 {
      var problem = table.problem(seed: UInt64(seed), mode: .refine)
      problem.budget = 100 * problem.wholeCost
      let outcome = table.search(problem)
      let best = outcome.points[outcome.finalists[0]]
      #expect(best[1] == 11 && best[2] == 11, "\(seed): \(best)")
    }
  }

  @Test func `a choice that cannot be played does not end a refinement`() {
    var table = SearchTable { point, recording, frame in
      [0.5 + 0.02 * Double(point[1]) + 0.002 * SearchTable.noise([point[1]], recording, frame)]
    }
    table.axes = [(8, false), (12, true), (12, true)].map { SearchLattice.Axis(levelCount: $0.0, isOrdered: $0.1) }
    (table.origin, table.unitLength, table.warmUp) = ([0, 3, 3], 4, 16)
    for seed in 0..<10 {
      var problem = table.problem(seed: UInt64(seed), mode: .refine)
      problem.budget = 60 * problem.wholeCost
      var machine = SearchMachine(problem)
      let outcome = machine.run { rung in
        zip(rung.parts, split(table.answers(rung, problem), rung)).flatMap { part, answers in
          part.point[0] > 0 ? answers.map { _ in .failed } : answers
        }
      }
      #expect(outcome.points[outcome.finalists[0]][1] == 11, "\(seed)")
    }
  }

  @Test func `of equal settings the one nearest to the current values is the first finalist`() {
    let table = SearchTable { _, _, frame in [Double(frame % 7)] }
    let outcome = table.search(table.problem(seed: 1))
    #expect(outcome.points[outcome.finalists[0]] == table.origin)
  }

  @Test func `by the worst recording it chooses another setting than by the mean, and the best of each`() {
    // Two recordings like the left end, one the right end; the middle is never best by the mean.
    func make(_ over: SearchGoal.Recordings) -> SearchTable {
      var table = SearchTable { point, recording, frame in
        let (left, right) = (Double(9 - point[0]) / 9, Double(point[0]) / 9)
        let value = recording < 2 ? left : right
        return [value - 0.01 * Double(abs(point[1] - 1)) + 0.02 * SearchTable.noise(point, recording, frame)]
      }
      table.frameCounts = [40, 40, 40]
      table.goal = SearchGoal([.init(score: .iou, wantsHigher: true)], recordings: over)
      return table
    }
    let (mean, worst) = (make(.mean), make(.worst))
    for seed in 0..<5 {
      let byMean = mean.search(mean.problem(seed: UInt64(seed)))
      #expect(byMean.points[byMean.finalists[0]][0] == 0, "\(seed)")
      let byWorst = worst.search(worst.problem(seed: UInt64(seed)))
      #expect([4, 5].contains(byWorst.points[byWorst.finalists[0]][0]), "\(seed)")
    }
  }

  @Test func `several scores give settings along the front, not only one end of it`() {
    var table = SearchTable { point, recording, frame in
      let loss = 0.02 * Double(point[1] + point[2])
      let (a, b) = (Double(point[0]) / 9 - loss, Double(9 - point[0]) / 9 - loss)
      let noise = 0.02 * SearchTable.noise(point, recording, frame)
      return [a + noise, -b - noise]
    }
    table.goal = SearchGoal([
      .init(score: .iou, wantsHigher: true), .init(score: .flicker, wantsHigher: false),
    ])
    let outcome = table.search(table.problem(seed: 2))
    let levels = Set(outcome.finalists.map { outcome.points[$0][0] })
    #expect(levels.contains { $0 <= 1 } && levels.contains { $0 >= 8 } && levels.contains { (3...6).contains($0) })
    #expect(outcome.finalists.count >= 6)
  }

  @Test func `a setting that fails takes no further part`() {
    let table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    let problem = table.problem(seed: 4)
    var machine = SearchMachine(problem)
    let outcome = machine.run { rung in
      var answers: [SearchScore] = []
      for (part, list) in zip(rung.parts, split(table.answers(rung, problem), rung)) {
        answers += part.point[3] == 1 ? list.map { _ in .failed } : list
      }
      return answers
    }
    #expect(outcome.finalists.allSatisfy { outcome.points[$0][3] == 0 })
    let best = table.means([8, 1, 4, 0, 1])[0]
    #expect(outcome.finalists.contains { table.means(outcome.points[$0])[0] >= best * 0.99 })
  }

  @Test func `points that the constraints exclude are never touched`() {
    let table = SearchTable(score: SearchTable.planted(at: [8, 1, 4, 1, 1]))
    var problem = table.problem(seed: 6)
    problem.lattice = SearchLattice(table.axes, origin: [1, 0, 0, 0, 0]) { $0[0] % 2 == 1 }
    let outcome = table.search(problem)
    #expect(!outcome.points.isEmpty && outcome.points.allSatisfy { $0[0] % 2 == 1 })
  }

  private func split(_ answers: [SearchScore], _ rung: SearchRung) -> [[SearchScore]] {
    var rest = answers[...]
    return rung.parts.map { part in
      defer { rest = rest.dropFirst(part.units.count) }
      return Array(rest.prefix(part.units.count))
    }
  }

  private func allPoints(_ table: SearchTable) -> [SearchLattice.Point] {
    table.axes.reduce([[]]) { points, axis in
      points.flatMap { point in (0..<axis.levelCount).map { point + [$0] } }
    }
  }
}
