import FrameModel
import Support
import Sweeps

extension SweepSubmitCommand {
  private static let leastPartSeconds = 60.0
  /// Settings that a rung plays at once, at most.
  private static let batchCount = 64

  /// Makes the folder of a search, and submits its first step.
  func search(
    _ path: String, _ site: SlurmSite?, _ partition: SlurmSite.Partition?, _ options: SbatchOptions
  ) throws {
    guard let best, let mode = searching.search else { return }
    if let parts, let site, parts > site.highestArrayIndex { throw arrayLimit(parts, site) }
    let goal = try searching.goal(try SweepChoice(best))
    let (plan, named) = try flags.plan(needed: goal.scores, isSearch: true)
    let work = try SearchWork(
      best: best, goal: goal, budget: searching.budget, mode: mode, plan: plan, isQuiet: quiet)
    say(work.identity.absenceSentences(of: named) + work.identity.truthSentences(isPartial: true))
    let timing = try SweepRunner(work.job, into: nil, threadCount: 1, memoryLimit: pace.memoryLimit).forecast()
    let problem = work.run.problem
    let frameSeconds = (timing.seconds ?? 0) / Double(max(1, problem.wholeCost))
    let seconds = frameSeconds * Double(problem.budget)
    let limit = min(site?.highestArrayIndex ?? Self.usualPartLimit, Self.usualPartLimit)
    let partCount = parts ?? max(1, min(limit, Int((seconds / Self.aimSeconds).rounded(.up))))
    let request = SharedSearch(
      mode: mode, best: best, budget: searching.budget, over: goal.recordings,
      front: searching.front, digest: work.run.digest, frameSeconds: frameSeconds,
      leastPartSeconds: shareFrom.map { Double($0.nanoseconds) / 1e9 } ?? Self.leastPartSeconds)
    let definition = try plan.yamlText(
      absolutePath: Folder.absolute,
      comments: [
        "The space of a search, submitted with 'retake sweep submit'. Changes have no effect but an error; submit to another folder."
      ])
    let shared = try SharedSweep.create(
      path, work.identity, definition: definition, partCount: partCount, forecastSeconds: seconds, search: request)
    let wanted = max(15, Int(3 * seconds / Double(partCount) / 60) + 5)
    try JobScripts(
      sweep: shared, program: SharedFolder.program, folder: Folder.absolute("."),
      minutes: min(wanted, partition?.longestMinutes ?? wanted),
      memoryMegabytes: max(timing.byteCount, min(pace.memoryLimit, Self.batchCount * timing.byteCount)) * 3 / 2
        / 1_000_000
        + 500, options: pace.words
    ).write()
    say(
      "\(problem.budget) frames in rounds of up to \(Format.counted(partCount, "part")), "
        + "about \(Format.duration(seconds)) of one processor.")
    try submit(shared, options)
  }

  /// Submits what is missing of a search.
  func complete(
    _ shared: SharedSweep, _ request: SharedSearch, isGiven: Bool, _ site: SlurmSite?, _ options: SbatchOptions
  ) throws {
    // The definition may have been edited since, and so may the recordings.
    _ = try SharedFolder.search(request, of: shared, isQuiet: quiet)
    if isGiven {
      guard let best, let mode = searching.search else {
        throw RetakeError(
          .usage, "\(shared.path) has a search, but what was given has no --search.",
          hint: "give the same options again, or only -o")
      }
      let goal = try searching.goal(try SweepChoice(best))
      let plan = try flags.plan(needed: goal.scores, isSearch: true).plan
      let work = try SearchWork(
        best: best, goal: goal, budget: searching.budget, mode: mode, plan: plan, isQuiet: quiet)
      try shared.check(work.identity, of: "What was given")
      guard work.run.digest == request.digest else {
        throw RetakeError(
          .usage, "What was given is another search than the one submitted to \(shared.path).",
          hint: "submit it to another folder")
      }
    }
    if let parts, parts != request.partLimit {
      throw RetakeError(
        .usage,
        "\(shared.path) has up to \(Format.counted(request.partLimit, "part")), which cannot be changed to \(parts).",
        hint: "leave out --parts, or submit to another folder")
    }
    try submit(shared, options)
  }

  private func submit(_ submitted: SharedSweep, _ options: SbatchOptions) throws {
    let status = try SharedStatus(submitted)
    let states = try status.parts()
    guard !status.isOver, status.queue.step == nil else {
      say(status.summary(states))
      return try print(submitted.path)
    }
    let missing = states.filter(\.canBeSubmitted).map(\.number)
    try Dispatcher(
      sweep: status.sweep, target: .slurm, options: options, hosts: nil, template: nil, printOnly: printOnly,
      isQuiet: quiet
    ).startRound(missing, after: status.queue.arrays)
    let parts = missing.isEmpty ? "" : "\(Format.counted(missing.count, "part")) of round \(status.sweep.round) and "
    say(
      "\(parts)a step \(printOnly ? "to submit" : "submitted"); see 'retake sweep status \(ShellWord.quoted(output))'.")
    try print(submitted.path)
  }
}
