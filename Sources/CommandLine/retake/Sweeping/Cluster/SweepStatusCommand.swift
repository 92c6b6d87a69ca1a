import ArgumentParser
import FrameModel
import Glibc
import Support
import Sweeps

struct SweepStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Shows what the parts of a submitted sweep do, and the time left.",
    discussion: """
      retake sweep status tuning
      retake sweep status tuning --watch

      A part is done; running or waiting, as Slurm says; started, if it was begun outside of Slurm and has not ended, or was \
      killed; or missing. 'retake sweep submit -o FOLDER' submits what is missing or started. \
      Runs are counted as of a part's last copy. Exits 0 when all parts are done, else 75.
      """)

  @Argument(help: ArgumentHelp("The folder that 'retake sweep submit' made.", valueName: "folder")) var folder: String
  @Flag(help: "Show it again every few seconds, until all parts are done or Ctrl-C.") var watch = false
  @Flag(help: "Print JSON.") var json = false

  private static let watchSeconds: UInt32 = 5

  func validate() throws {
    if watch && json { throw ValidationError("--watch prints no JSON: use one of the two.") }
  }

  func run() throws {
    let shared = try SharedSweep(Folder.absolute(folder))
    var status = try SharedStatus(shared)
    var parts = try status.parts()
    if watch {
      while !status.isDone(parts) {
        // On a terminal in place, elsewhere a line each time.
        let summary = status.summary(parts)
        if Terminal.redraws { Terminal.redraw(summary) } else { Terminal.say(summary) }
        sleep(Self.watchSeconds)
        // A search may have another round now.
        if shared.search != nil { status = try SharedStatus(shared) }
        try status.ask()
        parts = try status.parts()
      }
      Terminal.endLine()
    }
    try print(json ? status.json(parts).versioned.text : status.text(parts))
    if !status.isDone(parts) { throw ExitCode(ExitStatus.unfinished.rawValue) }
  }
}

/// What the parts of a shared sweep do.
struct SharedStatus {
  struct Part {
    let number: Int
    let progress: SharedSweep.PartProgress
    let state: String
    var isDone: Bool { state == Self.done }
    static let done = "done"
    static let missing = "missing"
    /// It was begun, but no queue knows of it; perhaps it was killed.
    static let started = "started"
    var canBeSubmitted: Bool { [Self.missing, Self.started].contains(state) }
  }

  /// Of a search, with the parts of its last round.
  let sweep: SharedSweep
  private(set) var queue: SlurmQueue
  /// What each part does: runs, or scores of settings on units.
  private let runCounts: [Int]
  /// Nil for a sweep without search.
  private let kind: SharedSweep.RoundKind?
  private static let shownCount = 40

  init(_ submitted: SharedSweep) throws {
    if submitted.search != nil {
      let (sweep, round) = try submitted.round(submitted.latestRound())
      (self.sweep, runCounts, kind) = (sweep, round.counts, round.kind)
    } else {
      let plan = try SharedFolder.plan(of: submitted)
      let parts = try SweepParts(plan.settings, submitted.identity, count: submitted.partCount)
      (sweep, kind) = (submitted, nil)
      runCounts = (1...submitted.partCount).map { parts.runs(ofPart: $0).count }
    }
    queue = try SlurmQueue(sweep)
  }

  /// Asks Slurm again.
  mutating func ask() throws { queue = try SlurmQueue(sweep) }

  /// Of a search: whether all that it writes at its end is there.
  var isOver: Bool { access(sweep.foundPath, F_OK) == 0 }

  func isDone(_ parts: [Part]) -> Bool { kind == nil ? parts.allSatisfy(\.isDone) : isOver }

  func parts() throws -> [Part] {
    return runCounts.indices.map { $0 + 1 }.map { number in
      let all = runCounts[number - 1]
      let progress =
        sweep.progress(of: number) ?? SharedSweep.PartProgress(runCount: all, doneCount: 0)
      let isDone = all == 0 || (progress.isWhole && progress.runCount == all)
      return Part(
        number: number, progress: progress,
        state: isDone ? Part.done : queue.states[number] ?? (sweep.isMarked(number) ? Part.started : Part.missing))
    }
  }

  func summary(_ parts: [Part]) -> String {
    let counts = parts.map(\.state).grouped(by: \.self, \.self).map { "\($1.count) \($0)" }
    let (done, all) = (parts.reduce(0) { $0 + $1.progress.doneCount }, runCounts.reduce(0, +))
    var text = "\(Format.counted(parts.count, "part")): \(counts.joined(separator: ", ")); \(done) of \(all) runs"
    if let kind {
      let unit = kind == .rung ? "scores" : "runs"
      text = "round \(sweep.round), \(kind.rawValue) in \(Format.counted(parts.count, "part"))"
      if sweep.round == 0 { text = "no round yet" }
      if !parts.isEmpty { text += ": \(counts.joined(separator: ", ")); \(done) of \(all) \(unit)" }
      return text + (isOver ? "; the search is done" : "; next step \(queue.step ?? Part.missing)")
    }
    if let seconds = secondsLeft(parts, done: done, all: all) { text += "; about \(Format.duration(seconds)) left" }
    return text
  }

  /// By the forecast, and by as many parts as run now.
  private func secondsLeft(_ parts: [Part], done: Int, all: Int) -> Double? {
    let running = parts.count { ["running", Part.started].contains($0.state) }
    guard let forecast = sweep.forecastSeconds, running > 0, all > 0 else { return nil }
    return forecast * Double(all - done) / Double(all) / Double(running)
  }

  func text(_ parts: [Part]) -> String {
    let open = parts.filter { !$0.isDone }
    var rows = open.prefix(Self.shownCount).map { part in
      [
        "\(part.number)", part.state, "\(part.progress.doneCount)/\(part.progress.runCount)",
        sweep.logPath("part-\(part.number)"),
      ]
    }
    if !rows.isEmpty { rows.insert(["PART", "STATE", "RUNS", "LOG"], at: 0) }
    var lines = rows.isEmpty ? [] : [Format.table(rows)]
    if open.count > Self.shownCount { lines.append("and \(open.count - Self.shownCount) more") }
    lines.append(summary(parts))
    let isMissing = kind == nil ? parts.contains(where: \.canBeSubmitted) : !isOver && queue.step == nil
    if isMissing {
      lines.append("to submit what is missing: retake sweep submit -o \(ShellWord.quoted(sweep.path))")
    }
    if kind != nil {
      if isOver { lines += [sweep.resultPath, sweep.bestPath].filter { access($0, F_OK) == 0 } }
    } else if open.isEmpty {
      let hasResult = access(sweep.resultPath, F_OK) == 0
      lines.append(
        hasResult ? sweep.resultPath : "to join the parts: retake sweep merge \(ShellWord.quoted(sweep.path))")
    }
    return lines.joined(separator: "\n").printable
  }

  func json(_ parts: [Part]) -> JSONObject {
    let done = parts.reduce(0) { $0 + $1.progress.doneCount }
    return JSONObject([
      "path": sweep.path,
      "runs": runCounts.reduce(0, +),
      "done": done,
      "round": kind == nil ? nil : sweep.round,
      "is_over": kind == nil ? nil : isOver,
      "step": queue.step,
      "seconds_left": kind != nil ? nil : secondsLeft(parts, done: done, all: runCounts.reduce(0, +)),
      "parts": parts.map {
        JSONObject([
          "part": $0.number, "state": $0.state, "runs": $0.progress.runCount, "done": $0.progress.doneCount,
        ])
      },
    ])
  }
}
