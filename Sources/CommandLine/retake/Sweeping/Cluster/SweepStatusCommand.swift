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
    let status = try SharedStatus(SharedSweep(SharedFolder.absolute(folder)))
    var parts = try status.parts()
    if watch {
      while !parts.allSatisfy({ $0.isDone }) {
        // On a terminal in place, elsewhere a line each time.
        let summary = status.summary(parts)
        if Terminal.errorIsTerminal { Terminal.redraw(summary) } else { Terminal.say(summary) }
        sleep(Self.watchSeconds)
        parts = try status.parts()
      }
      Terminal.endLine()
    }
    try print(json ? status.json(parts).versioned.text : status.text(parts))
    if !parts.allSatisfy(\.isDone) { throw ExitCode(ExitStatus.unfinished.rawValue) }
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

  let sweep: SharedSweep
  private let runCounts: [Int]
  private static let shownCount = 40

  init(_ sweep: SharedSweep) throws {
    self.sweep = sweep
    let plan = try SharedFolder.plan(of: sweep)
    let parts = try SweepParts(plan.settings, sweep.identity, count: sweep.partCount)
    runCounts = (1...sweep.partCount).map { parts.runs(ofPart: $0).count }
  }

  func parts() throws -> [Part] {
    let queue = try SlurmQueue(sweep)
    return (1...sweep.partCount).map { number in
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
    let missing = parts.filter(\.canBeSubmitted)
    if !missing.isEmpty {
      lines.append("to submit what is missing: retake sweep submit -o \(ShellWord.quoted(sweep.path))")
    }
    if open.isEmpty {
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
      "seconds_left": secondsLeft(parts, done: done, all: runCounts.reduce(0, +)),
      "parts": parts.map {
        JSONObject([
          "part": $0.number, "state": $0.state, "runs": $0.progress.runCount, "done": $0.progress.doneCount,
        ])
      },
    ])
  }
}
