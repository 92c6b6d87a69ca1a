import ArgumentParser
import FrameModel
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

extension SweepRunCommand {
  /// Searches, then runs the finalists as a sweep into the same file.
  func runSearch() throws {
    guard let best, let mode = searching.search else { return }
    let choice = try SweepChoice(best)
    let goal = try searching.goal(choice)
    let gates = try failIf.map { text throws(RetakeError) in try SweepGate(text) }
    let budget = try searching.budget.map { text throws(RetakeError) in try SearchBudget(text) }
    let (plan, namedScores) = try flags.plan(needed: goal.scores + gates.flatMap(\.scores), isSearch: true)
    let path = output ?? plan.name + "-sweep.sqlite"
    let outputs = try SweepOutputs(csv: csv, json: json, best: writeBest, results: path, existing)
    var job = try plan.job { path throws(RetakeError) in try Recording.opened(path, isQuiet: quiet) }
    let base = try job.identity()
    for score in goal.scores { try base.check(SweepChoice("max(\(score.name))")) }
    let search = SearchPlan(
      space: try SearchSpace(plan.definition, plan.base), goal: goal, budget: budget, mode: mode,
      seed: plan.definition.seed ?? 0)
    let words = plan.words + " " + ShellWord.joined(search.words + ["--best", best])
    let run = try SearchRun(search, job.sources, identity: base, words: words)
    say(base.absenceSentences(of: namedScores) + base.truthSentences(isPartial: true))
    if dryRun {
      let timing = try SweepRunner(job, into: nil, threadCount: pace.threads.count, memoryLimit: pace.memoryLimit)
        .forecast()
      return try print(SearchForecastText(run: run, timing: timing).text)
    }
    let start = MonotonicTime.now()
    let stop = StopSignal()
    let bar = ProgressBar("search", isQuiet: quiet)
    let found = try run.run(
      into: path, threadCount: pace.threads.count, memoryLimit: pace.memoryLimit,
      note: { [quiet] (sentence: String) in if !quiet { Terminal.say(sentence) } },
      goesOn: { progress in
        bar.update(progress.playedFrameCount, of: progress.budget)
        return !stop.isSet
      })
    bar.end()
    guard let found else {
      Terminal.say(
        "The search was interrupted; what it scored is kept in \(path).\n"
          + "This continues it: \(ShellWord.joined(CommandLine.arguments))")
      throw ExitCode(ExitStatus.unfinished.rawValue)
    }
    guard !found.finalists.isEmpty else {
      throw RetakeError(
        .notFound, "No setting of the search could be scored.",
        hint: "'retake sweep' without --search on a few settings shows why")
    }
    job.settings = try found.finalists.map { number throws(RetakeError) in
      try search.space.setting(found.points[number])
    }
    (job.words, job.defaultSetting) = (words, job.settings.firstIndex(of: plan.base))
    let identity = try job.identity()
    let work = SweepWork(
      job: job, identity: identity, path: path, shard: nil, pace: pace,
      isQuiet: true)
    let (outcome, file) = try work.run()
    guard outcome.isWhole else { throw ExitCode(ExitStatus.unfinished.rawValue) }
    let summaries = try file.summaries()
    for sentence in SweepFailures(summaries).sentences { Terminal.say(sentence) }
    try outputs.writeTables(identity, summaries, isQuiet: quiet)
    let text = try SearchText(
      choice: choice, search: search, run: run, found: found, summaries: summaries, identity: identity,
      frames: { key throws(RetakeError) in try file.frames(key) })
    try outputs.write(text.winner, isQuiet: quiet)
    if !quiet {
      let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
      Terminal.say("\(text.sentence); \(Format.seconds(seconds))")
    }
    if !outputs.useStandardOutput { try print(text.text.printable) }
    say("The results are in \(path). \(Self.nextStep(path))")
    let failures = try gates.flatMap { gate throws(RetakeError) in
      try gate.failures(of: summaries, identity, settings: [text.winner.result.setting])
    }
    for failure in failures { Terminal.say("fails \(failure.description)") }
    if !failures.isEmpty { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
