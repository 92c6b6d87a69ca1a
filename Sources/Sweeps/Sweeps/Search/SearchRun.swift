import Kernels
import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// Runs a search over recordings, and keeps what it has scored in its file.
package struct SearchRun {
  package let plan: SearchPlan
  package let problem: SearchMachine.Problem
  package let rules: SearchUnitRules
  private let sources: [SweepSource]
  private let words: String
  /// Of everything that the search's decisions depend on.
  package let digest: String

  /// - Parameters:
  ///   - identity: of a sweep of the base setting over these recordings with the same scores, which
  ///     stands for everything besides the search itself.
  ///   - words: the command line, for people.
  package init(
    _ plan: SearchPlan, _ sources: [SweepSource], identity: SweepIdentity, words: String
  ) throws(RetakeError) {
    (self.plan, self.sources, self.words) = (plan, sources, words)
    (problem, rules) = try plan.problem(sources)
    digest = Self.digest(plan, problem, identity)
  }

  /// Where a search is, for progress.
  package struct Progress: Hashable, Sendable {
    package var playedFrameCount: Int
    package var budget: Int
  }

  /// The score of a setting on a unit of frames, those of the file's included.
  package struct Scored: Sendable {
    /// Counted from 0 in the order in which settings are first touched.
    package var setting: Int
    package var point: SearchLattice.Point
    /// As in `SearchRung.Part.units`.
    package var unit: Int
    package var score: SearchScore
  }

  /// Searches into a file; see the other `run`.
  package func run(
    into path: String, threadCount: Int, memoryLimit: Int, note: @escaping (String) -> Void = { _ in },
    scored: ([Scored]) -> Void = { _ in }, goesOn: (Progress) -> Bool = { _ in true }
  ) throws(RetakeError) -> SearchMachine.Outcome? {
    let scorer = scorer(threadCount: threadCount, memoryLimit: memoryLimit, note: note)
    return try run(into: path, scorer, scored: scored, goesOn: goesOn)
  }

  package func run(
    into path: String, _ scorer: SearchScorer, scored: ([Scored]) -> Void = { _ in },
    goesOn: (Progress) -> Bool = { _ in true }
  ) throws(RetakeError) -> SearchMachine.Outcome? {
    let ledger = try openLedger(path)
    let outcome = try run(into: ledger, scorer, scored: scored, goesOn: goesOn)
    try ledger.close()
    return outcome
  }

  package func scorer(
    threadCount: Int, memoryLimit: Int, note: @escaping (String) -> Void = { _ in }
  ) -> SearchScorer {
    SearchScorer(sources, scores: problem.goal.scores, threadCount: threadCount, memoryLimit: memoryLimit, note: note)
  }

  /// - Parameters:
  ///   - stopsBefore: asked before each rung that lacks scores, with what it lacks; true ends the search there.
  ///   - scored: called with what was scored, which is in the file half a second later at most; a setting and unit may
  ///     come again.
  ///   - goesOn: called after each frame; false ends the search, to be continued later.
  /// - Returns: nil if it was ended.
  package func run(
    into ledger: SearchLedger, _ scorer: SearchScorer, stopsBefore: ([SearchTask]) -> Bool = { _ in false },
    scored: ([Scored]) -> Void = { _ in }, goesOn: (Progress) -> Bool = { _ in true }
  ) throws(RetakeError) -> SearchMachine.Outcome? {
    var machine = SearchMachine(problem)
    var progress = Progress(playedFrameCount: 0, budget: problem.budget)
    var isEnded = false
    defer { scorer.end() }
    func end() -> RetakeError {
      isEnded = true
      return RetakeError(.inputOutput, "The search was ended.")
    }
    do throws(RetakeError) {
      return try machine.run { rung throws(RetakeError) in
        try ledger.add(rung.parts)
        let tasks = try tasks(of: rung)
        let lacking = tasks.map { $0.lacking(in: ledger) }.filter { !$0.parts.isEmpty }
        if !lacking.isEmpty && stopsBefore(lacking) { throw end() }
        scorer.beginRung()
        for task in tasks {
          progress.playedFrameCount += task.frameCount
          let left = task.lacking(in: ledger)
          func tell(_ isTold: (SearchRung.Part) -> Bool) {
            scored(
              task.parts.filter(isTold).flatMap { part in
                task.unitNumbers.compactMap { unit in
                  ledger.score(part.setting, unit).map {
                    Scored(setting: part.setting, point: part.point, unit: unit, score: $0)
                  }
                }
              })
          }
          tell { part in !left.parts.contains { $0.setting == part.setting } }
          guard !left.parts.isEmpty else { continue }
          let isWhole = try score(
            left, into: ledger, scorer,
            written: { written in tell { written.contains($0.setting) } }, goesOn: { goesOn(progress) })
          guard isWhole else { throw end() }
        }
        return rung.parts.flatMap { part in part.units.map { ledger.score(part.setting, $0) ?? .failed } }
      }
    } catch {
      guard isEnded else {
        try? ledger.close()
        throw error
      }
      return nil
    }
  }

  /// - Parameter written: called with numbers of settings whose scores the ledger has.
  /// - Returns: false if it was ended.
  func score(
    _ task: SearchTask, into ledger: SearchLedger, _ scorer: SearchScorer, written: (Set<Int>) -> Void = { _ in },
    goesOn: () -> Bool
  ) throws(RetakeError) -> Bool {
    try scorer.score(
      try settings(of: task), on: task.pass,
      take: { results throws(RetakeError) in
        try ledger.write(results)
        written(Set(results.map(\.setting)))
      }, goesOn: goesOn)
  }

  func settings(of task: SearchTask) throws(RetakeError) -> [(number: Int, parameters: ParameterSet)] {
    try task.parts.map { part throws(RetakeError) in
      (number: part.setting, parameters: try plan.space.setting(part.point))
    }
  }

  /// Opens or creates the file of this search.
  package func openLedger(_ path: String) throws(RetakeError) -> SearchLedger {
    let firstNumbers = sources.map { (try? $0.recording.firstNumber()) ?? 0 }
    return try SearchLedger.openOrCreate(
      path, digest: digest, words: words, space: plan.space, problem: problem,
      frames: { frames($0, firstNumbers[$0.recording]) })
  }

  /// Whether a file has what this search scored.
  package func isOwn(_ path: String) -> Bool { SearchLedger.has(digest: digest, in: path) }

  private func tasks(of rung: SearchRung) throws(RetakeError) -> [SearchTask] {
    try units(of: rung)
      + wholes(of: rung).map { pass in
        SearchTask(pass: pass, parts: rung.parts.filter { $0.units.contains(pass.units[0].number) })
      }.filter { !$0.parts.isEmpty }
  }

  /// Unit by unit, for settings that need the same frames round them.
  private func units(of rung: SearchRung) -> [SearchTask] {
    problem.units.enumerated().flatMap { number, unit in
      let parts = rung.parts.filter { $0.units.contains(number) }
      return Dictionary(grouping: parts) { unit.played(problem.lead($0.point)) }
        .sorted { ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound) }
        .map { played, parts in
          SearchTask(
            pass: SearchScorer.Pass(recording: unit.recording, played: played, units: [(number, unit.frames)]),
            parts: parts)
        }
    }
  }

  /// Each recording in one go, where a part of the rung wants that.
  private func wholes(of rung: SearchRung) throws(RetakeError) -> [SearchScorer.Pass] {
    let count = problem.units.count
    var passes: [SearchScorer.Pass] = []
    guard rung.parts.contains(where: { $0.units.lowerBound >= count }) else { return [] }
    for (recording, source) in sources.enumerated() {
      let units = problem.units.enumerated().filter { $0.element.recording == recording }
      guard !units.isEmpty else { continue }
      passes.append(
        SearchScorer.Pass(
          recording: recording, played: 0..<(try source.playedOrder().countOfOnePass),
          units: units.map { (count + $0.offset, $0.element.frames) }))
    }
    return passes
  }

  private func frames(_ unit: SearchUnit, _ first: Int) -> (scored: Range<Int>, played: Range<Int>) {
    let order = sources[unit.recording].order
    func numbers(_ positions: Range<Int>) -> Range<Int> {
      order.number(at: positions.lowerBound) + first..<order.number(at: positions.upperBound - 1) + first + 1
    }
    return (numbers(unit.frames), numbers(unit.played))
  }

  /// XXH3-128 of everything that the search's decisions depend on.
  private static func digest(
    _ plan: SearchPlan, _ problem: SearchMachine.Problem, _ identity: SweepIdentity
  ) -> String {
    var lines = ["retake search 6", identity.digest]
    for axis in plan.space.axes { lines.append("\(axis.name)=\(axis.levels.joined(separator: "\u{1F}"))") }
    lines += plan.space.constraintWords
    lines += problem.goal.targets.map { "target \($0.score.name) \($0.wantsHigher)" }
    lines += problem.goal.limits.map { "limit \($0)" }
    lines += ["over \(problem.goal.recordings.rawValue)", "mode \(problem.mode.rawValue)"]
    lines += ["budget \(problem.budget)", "seed \(problem.seed)"]
    lines += problem.starts.map { "start \($0)" }
    for unit in problem.units { lines.append("unit \(unit.recording) \(unit.frames) \(unit.played)") }
    let checksum = RunningChecksum()
    Array(lines.map { "\($0.utf8.count):\($0)" }.joined(separator: "\n").utf8).withUnsafeBytes { checksum.add($0) }
    return checksum.hex
  }
}
