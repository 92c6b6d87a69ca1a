import FrameModel
import Glibc
import Support
import Sweeps

/// The work of one round of a shared search: its parts, and the decision what comes next.
struct SharedRound {
  /// With the parts of the round.
  let shared: SharedSweep
  let round: SharedSweep.Round
  let request: SharedSearch
  let work: SearchWork
  let pace: SweepWorkFlags
  let scratch: String
  let isQuiet: Bool

  private var scorer: SearchScorer {
    work.run.scorer(
      threadCount: pace.threads.count, memoryLimit: pace.memoryLimit,
      note: { [isQuiet] (sentence: String) in if !isQuiet { Terminal.say(sentence) } })
  }

  /// - Returns: false if it was ended before its end.
  func run(part number: Int) throws -> Bool {
    try shared.checkPart(number)
    let next = try withCopy(of: shared.startPath) { ledger throws(RetakeError) in try work.run.next(ledger) }
    switch (round.kind, next) {
    case (.rung, .rung(let tasks)):
      return try score(work.run.divided(tasks, count: shared.partCount)[number - 1], part: number)
    case (.finalists, .found(let outcome)): return try play(work.finalists(outcome), part: number)
    default:
      throw RetakeError(
        .corrupt, "\(shared.startPath) does not fit its round: it was changed.", hint: "submit to another folder")
    }
  }

  /// A share of a rung.
  private func score(_ share: [SearchTask], part number: Int) throws -> Bool {
    let stop = StopSignal()
    let all = round.counts[number - 1]
    let results = try ledger(shared.partPath(number))
    func note(_ count: Int) {
      try? shared.writeProgress(
        SharedSweep.PartProgress(runCount: all, doneCount: min(count, all)), of: number)
    }
    var copying = SweepCopying(results, seconds: pace.checkpointSeconds / 2, note)
    let before = try results.file.doneCount()
    let isWhole: Bool
    do throws(RetakeError) {
      isWhole = try work.run.score(share, into: results.file, scorer) { !stop.isSet && copying.isOwn() }
    } catch {
      try? results.finish()
      throw error
    }
    let isVain = try results.file.doneCount() == before && !isWhole
    try results.finish()
    if let count = results.publishedCount { note(count) }
    try checkVain(isVain, part: number, doneCount: before)
    return isWhole
  }

  /// A share of the finalists' runs over all frames.
  private func play(_ job: SweepJob, part number: Int) throws -> Bool {
    let all = round.counts[number - 1]
    let work = SweepWork(
      job: job, identity: try job.identity(), path: shared.partPath(number),
      shard: try SweepShard("\(number)/\(shared.partCount)"), pace: pace, scratch: scratch, isQuiet: isQuiet)
    var done = 0
    let (outcome, _) = try work.run { count in
      done = count
      try? shared.writeProgress(SharedSweep.PartProgress(runCount: all, doneCount: count), of: number)
    }
    try checkVain(outcome.runCount == 0 && !outcome.isWhole, part: number, doneCount: done)
    return outcome.isWhole
  }

  private func checkVain(_ isVain: Bool, part number: Int, doneCount: Int) throws {
    guard try shared.isVainAgain(isVain, part: number) else { return }
    throw SweepPartCommand.endedInVain(doneCount: doneCount)
  }

  enum Decision {
    case ended
    /// A round with this many parts.
    case round(Int)
    case done(text: String)
  }

  /// Decides by what the parts scored, and scores itself what is not worth a round.
  func decide() throws -> Decision {
    round.kind == .rung ? try decideAfterRung() : try conclude()
  }

  private func decideAfterRung() throws -> Decision {
    let stop = StopSignal()
    let results = try ledger(shared.partPath(0))
    let ledger = results.file
    do {
      let found = try search(results, stop)
      if found == nil && stop.isSet {
        try results.finish()
        return .ended
      }
      let next: SharedSweep.Round
      switch try found.map(SearchRun.Next.found) ?? work.run.next(ledger) {
      case .rung(let tasks):
        let count = partCount(tasks.reduce(0) { $0 + $1.frameCount }, limit: tasks.reduce(0) { $0 + $1.parts.count })
        let shares = try work.run.divided(tasks, count: count)
        next = SharedSweep.Round(kind: .rung, counts: shares.map { $0.reduce(0) { $0 + $1.scoreCount } })
      case .found(let outcome):
        let job = try work.finalists(outcome)
        let identity = try job.identity()
        let count = partCount(job.settings.count * work.run.problem.wholeCost, limit: identity.runKeys.count)
        let parts = try SweepParts(job.settings, identity, count: count)
        next = SharedSweep.Round(kind: .finalists, counts: (1...count).map { parts.runs(ofPart: $0).count })
      }
      try shared.makeRound(shared.round + 1, next, ledger)
      try results.finish()
      return .round(next.counts.count)
    } catch {
      try? results.finish()
      throw error
    }
  }

  private func partCount(_ frameCount: Int, limit: Int) -> Int {
    max(1, request.partCount(frameCount: frameCount, limit: min(limit, request.partLimit)))
  }

  /// - Returns: nil if it was ended, or before a rung that is to be shared.
  private func search(
    _ results: ScratchResults<SearchLedger>, _ stop: StopSignal
  ) throws -> SearchMachine.Outcome? {
    let ledger = results.file
    if shared.round > 0 { _ = try absorb(shared.startPath, into: ledger) }
    var isNew = shared.round == 0
    for number in shared.scoredParts where number > 0 {
      isNew = try absorb(shared.partPath(number), into: ledger) > 0 || isNew
    }
    guard isNew else {
      throw RetakeError(
        .childProcess, "No part of round \(shared.round) scored anything.",
        hint: "see what is wrong in \(shared.logPath("part-1")); then 'retake sweep submit -o' submits them again")
    }
    var copying = SweepCopying(results, seconds: pace.checkpointSeconds / 2) { _ in }
    let bar = ProgressBar("search", isQuiet: isQuiet)
    defer { bar.end() }
    return try work.run.run(
      into: ledger, scorer,
      stopsBefore: { tasks in
        partCount(tasks.reduce(0) { $0 + $1.frameCount }, limit: tasks.reduce(0) { $0 + $1.parts.count }) > 1
      },
      goesOn: { progress in
        bar.update(progress.playedFrameCount, of: progress.budget)
        return !stop.isSet && copying.isOwn()
      })
  }

  /// Joins the finalists' runs with what was searched.
  private func conclude() throws -> Decision {
    let next = try withCopy(of: shared.startPath) { ledger throws(RetakeError) in try work.run.next(ledger) }
    guard case .found(let outcome) = next else {
      throw RetakeError(
        .corrupt, "\(shared.startPath) does not fit its round: it was changed.", hint: "submit to another folder")
    }
    let report = try shared.merge(
      into: shared.resultPath, replacing: true, scratch: scratch, expected: try work.finalists(outcome).identity(),
      onto: shared.startPath)
    guard report.missing.isEmpty else {
      unlink(shared.resultPath)
      throw RetakeError(
        .childProcess, "\(Format.counted(report.missing.count, "run", "is", "are")) missing of the finalists.",
        hint: "'retake sweep submit -o \(ShellWord.quoted(shared.path))' submits what is missing")
    }
    let file = try SweepResultsFile.open(shared.resultPath)
    let text: SearchText
    do throws(RetakeError) {
      text = try work.text(outcome, file)
    } catch {
      if error.code == .notFound { try writeFound(error.message) }
      throw error
    }
    try FileBytes.write(
      Array(try text.winner.yaml(in: shared.bestPath, results: shared.resultPath).utf8), to: shared.bestPath)
    try writeFound(text.text)
    return .done(text: text.text)
  }

  /// The last file of a search: with it, the search is over.
  private func writeFound(_ text: String) throws(RetakeError) {
    try FileBytes.write(Array((text + "\n").utf8), to: shared.foundPath)
  }

  // MARK: Files

  private func ledger(_ path: String) throws(RetakeError) -> ScratchResults<SearchLedger> {
    try ScratchResults(path: path, scratch: scratch) { own throws(RetakeError) in try work.run.openLedger(own) }
  }

  private func absorb(_ path: String, into ledger: SearchLedger) throws(RetakeError) -> Int {
    try withCopy(of: path) { other throws(RetakeError) in
      _ = try ledger.absorb(other)
      return try path == shared.startPath ? 0 : other.doneCount()
    }
  }

  /// Opens a copy on this computer's own disk, since a share's locks may not work.
  private func withCopy<Result>(
    of path: String, _ body: (SearchLedger) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    let folder = "\(scratch)/retake-search-\(getpid())"
    try Folder.make(folder, permissions: 0o700)
    let copy = folder + "/copy.sqlite"
    defer {
      for name in (try? Folder.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
      rmdir(folder)
    }
    do throws(RetakeError) {
      try SweepResultsFile.copyFile(path, to: copy)
      let ledger = try work.run.openLedger(copy)
      let result = try body(ledger)
      try ledger.close()
      return result
    } catch {
      throw RetakeError(error.code, error.message.replacing(copy, with: path), hint: error.hint)
    }
  }
}
