import Scores
import Support
import Sweeps

/// A made-up table of every setting's score on every frame, on which a search can be run at once.
struct SearchTable {
  var axes = [(10, true), (5, true), (5, true), (2, false), (2, true)].map {
    SearchLattice.Axis(levelCount: $0.0, isOrdered: $0.1)
  }
  var origin = [5, 2, 2, 0, 0]
  var frameCounts = [120]
  var unitLength = 1
  var warmUp = 0
  var goal = SearchGoal([.init(score: .iou, wantsHigher: true)])
  /// By point, recording and frame; in the order of the goal's scores.
  var score: @Sendable (SearchLattice.Point, Int, Int) -> [Double?]

  var settingCount: Int { axes.reduce(1) { $0 * $1.levelCount } }
  var wholeCost: Int { frameCounts.reduce(0, +) }

  func problem(seed: UInt64, share: Double = 3, mode: SearchMachine.Mode = .whole) -> SearchMachine.Problem {
    var units: [SearchUnit] = []
    for slot in 0..<(frameCounts.max() ?? 0) / unitLength {
      for (recording, count) in frameCounts.enumerated() {
        // Spread over the recording: 7 has no divisor in common with the counts.
        let place = (slot * 7 + Int(seed)) % (count / unitLength)
        let frames = place * unitLength..<(place + 1) * unitLength
        if slot < count / unitLength {
          units.append(
            SearchUnit(
              recording: recording, frames: frames, played: max(0, frames.lowerBound - warmUp)..<frames.upperBound))
        }
      }
    }
    return SearchMachine.Problem(
      lattice: SearchLattice(axes, origin: origin), units: units, wholeCost: wholeCost, goal: goal,
      budget: Int(Double(settingCount * wholeCost) * share / 100), seed: seed, mode: mode)
  }

  func answers(_ rung: SearchRung, _ problem: SearchMachine.Problem) -> [SearchScore] {
    rung.parts.flatMap { part in
      part.units.map { number in
        let unit = problem.units[number % problem.units.count]
        var sums = goal.scores.map { _ in SearchScore.Sum() }
        for frame in unit.frames {
          for (place, value) in score(part.point, unit.recording, frame).enumerated() {
            guard let value else { continue }
            sums[place].total += value
            sums[place].count += 1
          }
        }
        return .scored(sums)
      }
    }
  }

  func search(_ problem: SearchMachine.Problem) -> SearchMachine.Outcome {
    var machine = SearchMachine(problem)
    return machine.run { answers($0, problem) }
  }

  /// A setting's mean over everything, by score.
  func means(_ point: SearchLattice.Point, recordings: [Int]? = nil) -> [Double] {
    var totals = goal.scores.map { _ in 0.0 }
    var count = 0.0
    for recording in recordings ?? Array(frameCounts.indices) {
      for frame in 0..<frameCounts[recording] {
        for (place, value) in score(point, recording, frame).enumerated() { totals[place] += value ?? 0 }
        count += 1
      }
    }
    return totals.map { $0 / count }
  }

  /// Noise of a frame that differs between settings, −1 to 1.
  static func noise(_ point: SearchLattice.Point, _ recording: Int, _ frame: Int) -> Double {
    var hash: UInt64 = 1
    for level in point { hash = SeededGenerator.hash(hash, UInt64(level), 77) }
    return Double(SeededGenerator.hash(hash, UInt64(recording), UInt64(frame)) >> 11) * 0x1p-52 - 1
  }

  /// 1 at the planted point, less by each step away from it, with interaction of the first two axes;
  /// frames differ in difficulty and noise.
  static func planted(
    at best: SearchLattice.Point, noise amount: Double = 0.05, slope: Double = 0.02
  ) -> @Sendable (SearchLattice.Point, Int, Int) -> [Double?] {
    { point, recording, frame in
      var loss = 0.0
      for (a, b) in zip(point, best) { loss += slope * Double(abs(a - b)) }
      loss += slope * Double(abs((point[0] - best[0]) - 2 * (point[1] - best[1])))
      let difficulty = Double(SeededGenerator.hash(UInt64(recording), UInt64(frame), 5) >> 11) * 0x1p-53
      return [1 - loss - 0.3 * difficulty + amount * noise(point, recording, frame)]
    }
  }
}
