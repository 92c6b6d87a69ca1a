import FrameModel
import MattePipeline
import Parameters
import RecordingTestSupport
import Replay
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// Searches over a recording.
@Suite struct SearchRunTests {
  private static let made = Result {
    try SimulatedRecording("frames=24&size=96x72&depth-size=48x36&seed=8&grain=2")
  }
  private let folder: TemporaryFolder
  private let job: SweepJob
  private let base: ParameterSet

  init() throws {
    folder = try TemporaryFolder()
    base = try Preset.named("truedepth-backdrop").parameters(ReplaySession.declarations)
    job = try SweepCase(try Self.made.get().recording, settings: [base], scores: [.iou, .flicker]).job
  }

  private func run(_ lists: [String], _ choice: String = "iou", budget: String = "2000") throws -> SearchRun {
    var definition = SweepDefinition()
    for list in lists { definition.terms.append(try SweepTerm(.list, list, ReplaySession.declarations)) }
    let plan = SearchPlan(
      space: try SearchSpace(definition, base), goal: try SearchGoal(try SweepChoice(choice)),
      budget: try SearchBudget(budget), mode: .whole, seed: 7)
    return try SearchRun(plan, job.sources, identity: try job.identity(), words: "")
  }

  private static let lists = [
    "matte.blur=0.5,1,2,3,4,6,8", "mask.offset=0.1,0.2,0.3,0.4,0.5", "matte.gamma=0.5,1,2", "depth.rate=1/1,1/2",
  ]

  @Test func `the scores of units of settings without memory are those of a whole sweep's frames, to the bit`() throws {
    let run = try run(Self.lists)
    let path = folder.path("units.sqlite")
    let outcome = try #require(try run.run(into: path, threadCount: 2, memoryLimit: 1 << 30))
    var whole = job
    whole.settings = try outcome.points.prefix(12).map { try run.plan.space.setting($0) }
    let file = try SweepResultsFile.create(folder.path("whole.sqlite"), try whole.identity())
    _ = try SweepRunner(whole, into: file, threadCount: 2, memoryLimit: 1 << 30).run()
    let ledger = try run.ledger(path)
    var compared = 0
    for setting in whole.settings.indices {
      let frames = try file.frames(RunKey(setting: setting, recording: 0))
      for (number, unit) in run.problem.units.enumerated() {
        guard case .scored(let sums)? = ledger.score(setting, number) else { continue }
        var sum = SearchScore.Sum()
        for frame in frames[unit.frames] {
          guard let value = frame.scores[.iou] else { continue }
          (sum.total, sum.count) = (sum.total + value, sum.count + 1)
        }
        #expect(sums == [sum], "setting \(setting), unit \(number)")
        compared += 1
      }
    }
    #expect(compared > 20)
  }

  @Test func `ended at random points and begun again, on any number of threads, it finds the same by the same scores`()
    throws
  {
    for (number, (lists, choice, budget)) in [
      (Self.lists, "iou", "2000"),
      // Less than the whole grid, of which nothing would be decided.
      (["matte.temporal=none,average", "matte.blur=0.5,1,2,4,8", "mask.offset=0.1,0.2,0.3"], "flicker<50,iou", "700"),
    ].enumerated() {
      let (unbroken, ended) = (folder.path("whole-\(number)"), folder.path("ended-\(number)"))
      let run = try run(lists, choice, budget: budget)
      let whole = try #require(try run.run(into: unbroken, threadCount: 1, memoryLimit: 1 << 30))
      let contents = try run.ledger(unbroken).contents(run)
      #expect(contents.count > 50)
      var generator = SeededGenerator(seed: 3)
      var starts = 0
      while true {
        starts += 1
        try #require(starts < 200)
        var steps = 20 + generator.next(below: 150)
        let outcome = try run.run(
          into: ended, threadCount: 1 + starts % 2, memoryLimit: 1 << (20 + starts % 10),
          goesOn: { _ in
            steps -= 1
            return steps > 0
          })
        guard let outcome else { continue }
        #expect(outcome.points == whole.points && outcome.finalists == whole.finalists)
        break
      }
      #expect(starts > 2)
      #expect(try run.ledger(ended).contents(run) == contents)
    }
  }

  @Test func `each frame is decoded once while memory allows, and the finalists get it too`() throws {
    let run = try run(Self.lists)
    let scorer = run.scorer(threadCount: 1, memoryLimit: 1 << 30)
    var passes: Set<Int> = []
    let outcome = try #require(
      try run.run(
        into: folder.path("once.sqlite"), scorer,
        goesOn: { progress in
          passes.insert(progress.playedFrameCount)
          return true
        }))
    // Colour, depth and truth.
    #expect(scorer.readings.decodedCount == 3 * 24)
    // Settings that stay together go on with the next unit.
    #expect(scorer.madeBatchCount < passes.count / 2, "\(scorer.madeBatchCount) of \(passes.count)")
    var finalists = job
    finalists.settings = try outcome.finalists.map { try run.plan.space.setting(outcome.points[$0]) }
    var frames: [[[ScoredFrame]]] = []
    for (number, readings) in [scorer.readings, nil].enumerated() {
      let file = try SweepResultsFile.create(folder.path("finalists-\(number).sqlite"), try finalists.identity())
      _ = try SweepRunner(finalists, into: file, threadCount: 1, memoryLimit: 1 << 30, readings: readings).run()
      frames.append(
        try finalists.settings.indices.map { try file.frames(RunKey(setting: $0, recording: 0)) })
    }
    #expect(scorer.readings.decodedCount == 3 * 24)
    #expect(frames[0] == frames[1] && !frames[0].isEmpty)

    let poor = run.scorer(threadCount: 1, memoryLimit: 0)
    let same = try #require(try run.run(into: folder.path("again.sqlite"), poor))
    #expect(poor.readings.decodedCount > 3 * 24)
    #expect(same.points == outcome.points && same.finalists == outcome.finalists)
    #expect(
      try run.ledger(folder.path("again.sqlite")).contents(run)
        == run.ledger(folder.path("once.sqlite")).contents(run))
  }

  @Test func `all that a search was told of is in its file when it is ended`() throws {
    let run = try run(Self.lists)
    for limit in [1, 40, 300] {
      let path = folder.path("told-\(limit).sqlite")
      var steps = limit
      var told: [[Int]: SearchScore] = [:]
      let outcome = try run.run(
        into: path, threadCount: 1, memoryLimit: 1 << 30,
        scored: { for one in $0 { told[[one.setting, one.unit]] = one.score } },
        goesOn: { _ in
          steps -= 1
          return steps > 0
        })
      #expect(outcome == nil && told.isEmpty == (limit == 1))
      #expect(try run.ledger(path).contents(run) == told)
    }
  }

  @Test func `settings that were numbered long before they are scored are kept too`() throws {
    var hasUnscored = false
    // Somewhere the budget cuts a rung whose settings are numbered already.
    for budget in [150, 240, 330, 420, 600, 800] {
      let run = try run(Self.lists, budget: "\(budget)")
      let path = folder.path("many-\(budget).sqlite")
      let outcome = try #require(try run.run(into: path, threadCount: 2, memoryLimit: 1 << 30))
      hasUnscored = hasUnscored || outcome.frameCounts.contains(0)
      let again = try #require(try run.run(into: path, threadCount: 2, memoryLimit: 1 << 30))
      #expect(again.points == outcome.points && again.finalists == outcome.finalists, "\(budget)")
    }
    #expect(hasUnscored)
  }

  @Test func `a file of another search is refused and left as it is`() throws {
    let first = try run(["matte.blur=1,2,3,4"], budget: "200")
    let path = folder.path("a.sqlite")
    _ = try first.run(into: path, threadCount: 1, memoryLimit: 1 << 30)
    for other in [
      try run(["matte.blur=1,2,3,5"], budget: "200"), try run(["matte.blur=1,2,3,4"], budget: "300"),
      try run(["matte.blur=1,2,3,4"], "flicker<9,iou", budget: "200"),
    ] {
      let error = failure { _ = try other.run(into: path, threadCount: 1, memoryLimit: 1 << 30) }
      #expect(error?.code == .usage && error?.message.contains("another search") == true)
    }
    #expect(try first.run(into: path, threadCount: 1, memoryLimit: 1 << 30) != nil)
  }

  @Test func `a file of a sweep is refused, and a search that has not ended has no results yet`() throws {
    let sweep = try SweepCase(try Self.made.get().recording, settings: [base])
    let (file, _) = try sweep.run()
    try file.close()
    let search = try run(["matte.blur=1,2,3,4"], budget: "200")
    let error = failure { _ = try search.run(into: file.path, threadCount: 1, memoryLimit: 1 << 30) }
    #expect(error?.message.contains("of a sweep, not of a search") == true)
    let path = folder.path("b.sqlite")
    _ = try search.run(into: path, threadCount: 1, memoryLimit: 1 << 30, goesOn: { _ in false })
    #expect(failure { _ = try SweepResultsFile.open(path) }?.message.contains("no results yet") == true)
  }
}

extension SearchRun {
  func ledger(_ path: String) throws -> SearchLedger { try openLedger(path) }
}

extension SearchLedger {
  /// Every score, by setting and unit.
  func contents(_ run: SearchRun) -> [[Int]: SearchScore] {
    var contents: [[Int]: SearchScore] = [:]
    for setting in 0..<5000 {
      for unit in 0..<2 * run.problem.units.count {
        if let score = score(setting, unit) { contents[[setting, unit]] = score }
      }
    }
    return contents
  }
}
