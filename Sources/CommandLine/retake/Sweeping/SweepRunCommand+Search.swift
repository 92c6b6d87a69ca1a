import ArgumentParser
import FrameModel
import Support
import Sweeps

extension SweepRunCommand {
  /// Searches, then runs the finalists as a sweep into the same file.
  func runSearch() throws {
    guard let best, let mode = searching.search else { return }
    let goal = try searching.goal(try SweepChoice(best))
    let gates = try failIf.map { text throws(RetakeError) in try SweepGate(text) }
    let (plan, namedScores) = try flags.plan(needed: goal.scores + gates.flatMap(\.scores), isSearch: true)
    let path = output ?? plan.name + "-sweep.sqlite"
    let outputs = try SweepOutputs(csv: csv, json: json, best: writeBest, results: path, existing)
    let search = try SearchWork(
      best: best, goal: goal, budget: searching.budget, mode: mode, plan: plan, isQuiet: quiet)
    let run = search.run
    say(search.identity.absenceSentences(of: namedScores) + search.identity.truthSentences(isPartial: true))
    try sayWhatLacks(search.job)
    if dryRun {
      let timing = try SweepRunner(
        search.job, into: nil, threadCount: pace.threads.count, memoryLimit: pace.memoryLimit
      )
      .forecast()
      return try print(SearchForecastText(run: run, timing: timing).text)
    }
    if output == nil { try UnnamedOutput.check(path) }
    let start = MonotonicTime.now()
    let stop = StopSignal()
    let bar = ProgressBar("search", isQuiet: quiet)
    let scorer = run.scorer(
      threadCount: pace.threads.count, memoryLimit: pace.memoryLimit,
      note: { [quiet] (sentence: String) in if !quiet { Terminal.say(sentence) } })
    let found = try run.run(
      into: path, scorer,
      goesOn: { progress in
        bar.update(progress.playedFrameCount, of: progress.budget)
        return !stop.isSet
      })
    bar.end()
    guard let found else {
      Terminal.say(
        "The search was interrupted; what it scored is kept in \(path).\nThis continues it:",
        command: CommandLine.arguments)
      throw ExitCode(ExitStatus.unfinished.rawValue)
    }
    let job = try search.finalists(found)
    let identity = try job.identity()
    let work = SweepWork(
      job: job, identity: identity, path: path, shard: nil, pace: pace,
      readings: scorer.readings, isQuiet: true, bar: ProgressBar("finalists", isQuiet: quiet))
    let (outcome, file) = try work.run()
    guard outcome.isWhole else { throw ExitCode(ExitStatus.unfinished.rawValue) }
    let summaries = try file.summaries()
    for sentence in SweepFailures(summaries).sentences { Terminal.say(sentence) }
    try outputs.writeTables(identity, summaries, isQuiet: quiet)
    let text = try search.text(found, file)
    try outputs.write(text.winner, isQuiet: quiet)
    if !quiet {
      let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
      Terminal.say("\(text.sentence); \(Format.seconds(seconds))")
    }
    if !outputs.useStandardOutput { try print(text.text.printable) }
    say("The results are in \(path). \(nextStep(file, path))")
    let failures = try gates.flatMap { gate throws(RetakeError) in
      try gate.failures(of: summaries, identity, settings: [text.winner.result.setting])
    }
    for failure in failures { Terminal.say("fails \(failure.description)") }
    if !failures.isEmpty { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
