import FrameModel
import MattePipeline
import Parameters
import Replay
import Scores
import Support
import Sweeps

/// Runs the search on the results of whole sweeps, which stand in for playing frames: how often it ends
/// within 1 % of the grid's best, by budget. Units that warm up cost what they would play.
enum SearchBenchmark {
  /// Prints a line of JSON for each table, score and share.
  static func run(_ path: String, seedCount: Int, shares: [Double]) throws {
    let table = try Table(path)
    for kind in table.identity.scores where kind.preference != .none && kind.isOfFrames {
      let isHigher = kind.preference == .higher
      let means = table.points.indices.map { table.mean($0, kind) }
      guard let best = isHigher ? means.compactMap({ $0 }).max() : means.compactMap({ $0 }).min() else { continue }
      for share in shares {
        var (hits, frames, touched) = (0, 0, 0)
        var regrets: [Double] = []
        for seed in 0..<seedCount {
          let problem = try table.problem(kind, share: share, seed: UInt64(seed))
          var machine = SearchMachine(problem)
          let outcome = machine.run { table.answers($0, problem, kind) }
          let values = outcome.finalists.compactMap { table.numbers[outcome.points[$0]].flatMap { means[$0] } }
          let found = (isHigher ? values.max() : values.min()) ?? (isHigher ? -.infinity : .infinity)
          let regret = (found - best).magnitude / max(best.magnitude, 1e-12)
          regrets.append(regret)
          hits += regret <= 0.01 ? 1 : 0
          frames += outcome.cost
          touched += outcome.frameCounts.count { $0 > 0 }
        }
        print(
          JSONObject([
            "table": path, "score": kind.name, "share": share, "method": "search", "seeds": seedCount, "within": hits,
            "median_regret": regrets.sorted()[regrets.count / 2],
            "worst_regret": regrets.max() ?? 0,
            "spent": 100 * Double(frames) / Double(seedCount * table.points.count * table.frameCount),
            "touched": touched / seedCount,
          ]).text)
      }
    }
  }

  /// Every setting's score on every frame.
  private struct Table {
    let identity: SweepIdentity
    let space: SearchSpace
    let points: [SearchLattice.Point]
    let numbers: [SearchLattice.Point: Int]
    let frameCounts: [Int]
    /// By setting, then recording.
    private let frames: [[[ScoredFrame]]]

    var frameCount: Int { frameCounts.reduce(0, +) }

    init(_ path: String) throws {
      let file = try SweepResultsFile.open(path)
      let identity = file.identity
      self.identity = identity
      var definition = SweepDefinition()
      for name in identity.tried {
        guard let declaration = ReplaySession.declarations.first(where: { $0.name == name }) else { continue }
        var values: [String] = []
        for setting in identity.settings {
          guard let value = setting.parameters.first(where: { $0.name == name })?.value else { continue }
          if !values.contains(value) { values.append(value) }
        }
        definition.terms.append(try SweepTerm(.list, values, of: declaration))
      }
      // What is not swept is the same in all settings; what is swept begins at the preset's values.
      var base = try Preset.named(identity.preset).parameters(ReplaySession.declarations)
      for parameter in identity.settings[0].parameters where !identity.tried.contains(parameter.name) {
        try base.set(parameter.name, to: parameter.value)
      }
      space = try SearchSpace(definition, base)
      var points: [SearchLattice.Point] = []
      for setting in identity.settings {
        var values = base
        for parameter in setting.parameters { try values.set(parameter.name, to: parameter.value) }
        points.append(space.point(nearest: values))
      }
      self.points = points
      numbers = Dictionary(points.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      frames = try identity.settings.map { setting in
        try identity.recordings.map { try file.frames(RunKey(setting: setting.number, recording: $0.number)) }
      }
      frameCounts = frames[0].map(\.count)
    }

    func mean(_ setting: Int, _ kind: ScoreKind) -> Double? {
      let means = frames[setting].compactMap { list -> Double? in
        let values = list.compactMap { $0.scores[kind] }
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
      }
      return means.count == frames[setting].count ? means.reduce(0, +) / Double(means.count) : nil
    }

    func problem(_ kind: ScoreKind, share: Double, seed: UInt64) throws -> SearchMachine.Problem {
      let rules = SearchUnitRules(space, scores: [kind])
      return SearchMachine.Problem(
        lattice: space.lattice, units: rules.units(frameCounts: frameCounts, seed: seed), wholeCost: frameCount,
        goal: SearchGoal([.init(score: kind, wantsHigher: kind.preference == .higher)]),
        budget: Int((Double(points.count * frameCount) * share / 100).rounded(.up)), seed: seed,
        lead: rules.leads(of: space))
    }

    func answers(_ rung: SearchRung, _ problem: SearchMachine.Problem, _ kind: ScoreKind) -> [SearchScore] {
      rung.parts.flatMap { part -> [SearchScore] in
        guard let setting = numbers[part.point] else { return part.units.map { _ in .failed } }
        return part.units.map { number in
          let unit = problem.units[number % problem.units.count]
          let values = frames[setting][unit.recording][unit.frames].compactMap { $0.scores[kind] }
          return .scored([.init(total: values.reduce(0, +), count: values.count)])
        }
      }
    }
  }
}
