import FrameModel
import Glibc
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

/// A page's sweep, checked and ready to run: the one of `command`, with the results in `path`.
///
/// Unchecked, because it is used by one thread at a time.
package final class PreparedSweep: @unchecked Sendable {
  /// A batch's results reach the page together, so batches are short.
  private static let batchSeconds = 5.0
  private static let memoryLimit = 1_000_000_000
  private static let pathLimit = 1000

  package let wish: SweepWish
  package let path: String
  /// What does the same, and goes on with it.
  package let command: String
  package let tried: [String]
  package let scores: [ScoreKind]
  /// What is said about missing scores and frames without truth.
  package let sentences: [String]
  private let plan: SweepPlan
  private var job: SweepJob
  private let identity: SweepIdentity
  private let search: (run: SearchRun, words: String)?

  /// - Parameters:
  ///   - frames: all of the recording.
  ///   - truth: used where it has a matte of the span.
  /// - Throws: `.usage` for a sweep that cannot be.
  init(
    _ wish: SweepWish, of recording: Recording, frames: Range<Int>, truth: PaintedTruth
  ) throws(RetakeError) {
    try wish.check()
    self.wish = wish
    let goal = try wish.search.map { search throws(RetakeError) in try SearchGoal(search.choice) }
    let wanted = Set(wish.scores + (goal?.scores ?? []))
    let scores = ScoreKind.allCases.filter(wanted.contains)
    let span = wish.span.frames
    let part = try recording.part()
    let isWhole = span == frames && part == nil
    let plan = try SweepPlan(
      recordings: [recording.folder.path], preset: wish.setting.preset, base: wish.setting.parameters,
      definition: wish.definition, scores: scores,
      truth: truth.frames().contains(where: span.contains) ? truth.path : nil,
      span: isWhole ? MomentSpan() : MomentSpan(from: .frameSet(span.lowerBound), to: .frameSet(span.upperBound - 1)),
      every: 1, isSearch: wish.search != nil)
    let job = try plan.job { _ in recording }
    let identity = try job.identity()
    (self.plan, self.job, self.identity) = (plan, job, identity)
    (self.scores, tried) = (identity.scores, plan.definition.tried)
    sentences = identity.absenceSentences(of: Set(wish.scores)) + identity.truthSentences(isPartial: true)
    var words = plan.words
    if let wished = wish.search, let goal {
      for score in goal.scores { try identity.check(SweepChoice("max(\(score.name))")) }
      let search = SearchPlan(
        space: try SearchSpace(plan.definition, plan.base), goal: goal, budget: wished.budget, mode: .whole,
        seed: plan.definition.seed ?? 0)
      let budget = wished.budget.map { ["--budget", $0.description] } ?? []
      words += " " + ShellWord.joined(["--search"] + budget + ["--best", wished.best])
      self.search = (try SearchRun(search, job.sources, identity: identity, words: words), words)
    } else {
      search = nil
    }
    path = try Self.path(beside: recording) { [search] path in
      if let search { return search.run.isOwn(path) }
      return (try? SweepResultsFile.openIfPresent(path, identity)) != nil
    }
    command =
      ShellWord.joined(["retake", "sweep", recording.folder.path]) + " " + words + " -o "
      + ShellWord.quoted(path)
  }

  /// The first file beside the recording that does not exist or that this sweep can go on with.
  private static func path(beside recording: Recording, isOwn: (String) -> Bool) throws(RetakeError) -> String {
    for number in 1...pathLimit {
      let path = recording.pathBeside + "-sweep" + (number == 1 ? "" : "-\(number)") + ".sqlite"
      if access(path, F_OK) != 0 || isOwn(path) { return path }
    }
    throw RetakeError(
      .usage, "\(pathLimit) results files are beside \(recording.folder.path).", hint: "move some of them elsewhere")
  }

  /// One thread less than there are processors, so that pictures keep one.
  private static var threadCount: Int { max(1, ProcessorCount.usable - 1) }

  // MARK: Before it runs

  /// What a sweep will cost.
  package struct Forecast: Sendable {
    /// Of a grid; of a search, those that a share of its budget refers to.
    package var settingCount: Int
    package var hasRange: Bool
    /// Settings that are in the file already; nil for a search.
    package var doneCount: Int?
    /// Frames that are played, summed over settings.
    package var frameCount: Int
    package var byteCount: Int
    package var seconds: Double?
    /// Of a search: settings that are tried, and those that are tried on all frames.
    package var searchedCount: Int?
    /// Whether the budget pays for all of them on all frames.
    package var isWholeGrid = false
    package var finalistCount: Int?
  }

  func forecast() throws(RetakeError) -> Forecast {
    let file = search == nil ? try SweepResultsFile.openIfPresent(path, identity) : nil
    let timing = try SweepRunner(job, into: file, threadCount: Self.threadCount, memoryLimit: Self.memoryLimit)
      .forecast()
    try file?.close()
    let playedCount = try job.sources[0].playedOrder().countOfOnePass
    var forecast = Forecast(
      settingCount: timing.settingCount, hasRange: false, doneCount: timing.runCount - timing.leftRunCount,
      frameCount: timing.leftRunCount * playedCount, byteCount: timing.byteCount, seconds: timing.seconds)
    guard let run = search?.run else { return forecast }
    let (problem, space) = (run.problem, run.plan.space)
    let outcome = SearchMachine.rehearsal(problem)
    forecast.settingCount = space.settingCount
    forecast.isWholeGrid = outcome.isWholeGrid
    forecast.hasRange = space.axes.contains(where: \.isRange)
    (forecast.doneCount, forecast.frameCount) = (nil, outcome.isWholeGrid ? outcome.cost : problem.budget)
    (forecast.searchedCount, forecast.finalistCount) = (outcome.points.count, outcome.finalists.count)
    forecast.seconds = timing.seconds.map { $0 * Double(forecast.frameCount) / Double(problem.wholeCost) }
    return forecast
  }

  // MARK: Running

  /// What a run tells while it works.
  struct Listener {
    var rows: (_ change: (inout SweepRows) -> Void) -> Void
    /// Played and total frames, and whether nothing that is played would be lost; false ends the run, to be continued later.
    var goesOn: (Int, Int, Bool) -> Bool
    var note: (String) -> Void
  }

  /// - Returns: false if it was ended.
  func run(_ listener: Listener) throws(RetakeError) -> Bool {
    var identity = identity
    var numbers: [Int]?
    if let search {
      guard let finalists = try runSearch(search.run, listener) else { return false }
      job.settings = try finalists.points.map { point throws(RetakeError) in try search.run.plan.space.setting(point) }
      (job.words, job.defaultSetting) = (search.words, job.settings.firstIndex(of: plan.base))
      identity = try job.identity()
      numbers = finalists.numbers
    }
    let file = try SweepResultsFile.openOrCreate(path, identity)
    let before = try file.summaries()
    listener.rows { rows in
      rows.begin(identity, numbers: numbers)
      for summary in before { rows.add(summary) }
    }
    let outcome = try SweepRunner(
      job, into: file, threadCount: Self.threadCount, memoryLimit: Self.memoryLimit,
      batchSeconds: Self.batchSeconds, note: listener.note,
      written: { runs in listener.rows { rows in for run in runs { rows.add(run.summary) } } }
    ).run { listener.goesOn($0.doneFrameCount, $0.frameCount, $0.isBatchEnd) }
    try file.close()
    return outcome.isWhole
  }

  private func runSearch(_ run: SearchRun, _ listener: Listener) throws(RetakeError) -> (
    numbers: [Int], points: [SearchLattice.Point]
  )? {
    let (axes, wholeFrom, goal) = (run.plan.space.axes, run.problem.units.count, run.problem.goal)
    let found = try run.run(
      into: path, threadCount: Self.threadCount, memoryLimit: Self.memoryLimit, note: listener.note,
      scored: { parts in
        listener.rows { rows in
          for part in parts {
            let values = zip(axes, part.point).map { axis, level in axis.levels[level] }
            rows.add(part, values: values, scores: goal.scores, isWhole: part.unit >= wholeFrom)
          }
        }
      },
      goesOn: { listener.goesOn($0.playedFrameCount, $0.budget, true) })
    guard let found else { return nil }
    guard !found.finalists.isEmpty else {
      throw RetakeError(
        .notFound, "No setting of the search could be scored.", hint: "sweep a few settings without a budget to see why"
      )
    }
    return (found.finalists, found.finalists.map { found.points[$0] })
  }
}

extension SettingRun {
  /// As the file has it.
  var summary: RunSummary {
    switch outcome {
    case .failed(let error):
      RunSummary(key: key, outcome: .failed(error), frameCount: 0, missingCount: 0, cost: cost)
    case .scored(let recording):
      RunSummary(
        key: key, outcome: .scored(recording.summary), frameCount: recording.frames.count,
        missingCount: recording.frames.count { !$0.hasMatte }, cost: cost)
    }
  }
}
