import ArgumentParser
import MattePipeline
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

struct SweepRunCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs recordings with many settings, scores each, and shows the best.",
    usage: """
      retake sweep <recording> ... [<options>]
      retake sweep <subcommand>
      """,
    discussion: """
      retake sweep session.retake --scan matte.still=0..0.8:0.2 \\
          --list depth.rate=1/1,1/2,1/3
      retake sweep session.retake --preset truedepth-backdrop \\
          --range mask.offset=0.1..0.5 --range matte.blur=1..32:log \\
          --latin 200 --seed 7
      retake sweep session.retake --preset truedepth-backdrop \\
          --scan matte.open=0..4:1 --scan matte.close=0..8:2 \\
          --where 'matte.open<=matte.close' \\
          --best 'flicker<1,iou' --write-best best.yaml
      retake sweep session.retake --range matte.still=0..0.9 \\
          --range matte.refine-outside=1..8 --search --best iou --budget 5%
      retake sweep a.retake b.retake --parameters mine.yaml \\
          --fail-if 'iou<0.9' --fail-if 'drop-outs>0' --quiet
      retake sweep --file tune.yaml --dry-run

      What to do with the results; 'retake sweep best --help' and so on explain each:
        retake sweep report session-sweep.sqlite -o report.html
        retake sweep best session-sweep.sqlite --by iou -o best.yaml
        retake sweep table session-sweep.sqlite --csv > runs.csv
        retake sweep compare before.sqlite after.sqlite
        retake sweep merge part-1.sqlite part-2.sqlite -o whole.sqlite
      On a cluster:
        retake sweep submit --file tune.yaml -o tuning
        retake sweep status tuning

      --scan and --list try every combination; --random and --latin draw settings from the values of --scan, --list and \
      --range. With none of them, the sweep has one setting. 'retake parameters' lists all parameters, including the delivery \
      of depth, and faults.

      The results are a SQLite file, written in batches that take half of --checkpoint. If a sweep is interrupted, even by \
      SIGKILL, the same command continues it. Settings share the stages that they have in common, so parameters of early stages \
      (depth.…, mask.…) are the slowest to try, and matte.… the fastest.

      Scores that need the truth (the alpha stream of the simulated camera, or --truth):
      \(help(.truth))
      Scores that need faces in the recording:
      \(help(.faces))
      Scores that need depth in the recording, and take longer, since Retake makes mattes to compare with:
      \(help(.depth))
      Other scores:
      \(help(.nothing))

      --best unsupervised chooses without the truth: by the ranks of \
      \(SweepChoice.unsupervisedScores.map(\.name).joined(separator: ", ")), which it adds to the scores.

      A file of --file has the options as keys:
        set: {mask.kind: plate}
        scan: {matte.still: 0..0.8:0.2}
        list: {depth.rate: [1/1, 1/2]}
        where: ["matte.open<=matte.close"]
        scores: [iou, flicker]
        recordings: [session.retake]

      Exits 1 when a condition of --fail-if holds, when no setting is within the limits of --best, and when every setting \
      failed; 75 when the sweep was interrupted, and 73 when another one writes to the same results.
      """)

  @OptionGroup var flags: SweepFlags
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The results to create or to continue. By default, in this folder, the first recording's name with -sweep.sqlite, and a "
        + "number where that has another sweep's.",
      valueName: "file.sqlite"))
  var output: String?
  @OptionGroup(title: "Search instead of trying all settings") var searching: SearchFlags
  @OptionGroup(title: "Threads, memory and checkpoints") var pace: SweepWorkFlags
  @Option(
    help: ArgumentHelp(
      "Run only a part of the sweep, such as 3/16, to share it among machines; 'retake sweep merge' joins the parts. For a "
        + "cluster see 'retake sweep submit'.",
      valueName: "part"))
  var shard: String?
  @Flag(help: "Show the number of settings, the work that they share and the time needed, but run nothing.")
  var dryRun = false
  @Option(
    help: ArgumentHelp(
      "Print the best setting by limits and, last, a score, as in 'flicker<1,iou'; cost is in milliseconds per frame.",
      valueName: "choice"), completion: .choice)
  var best: String?
  @Option(help: ArgumentHelp("Write the best as YAML for --parameters; - is standard output.", valueName: "file"))
  var writeBest: String?
  @Option(
    help: ArgumentHelp(
      "Exit 1 if this holds, as in 'iou<0.9', on any recording for the best setting, or without --best for any setting; an "
        + "absent score fails too. Repeat it for several.", valueName: "limit"))
  var failIf: [String] = []
  @Option(help: ArgumentHelp("Write a table of settings and scores as CSV; - is standard output.", valueName: "file"))
  var csv: String?
  @Option(help: ArgumentHelp("Write a table of settings and scores as JSON; - is standard output.", valueName: "file"))
  var json: String?
  @Flag(
    help: """
      Replace existing files of --csv, --json and --write-best. Results are continued and never replaced: remove their \
      file, or name another with -o, to run all again.
      """)
  var force = false
  @Flag(
    name: [.short, .long],
    help: "Print only errors, the path of the results or what --best chose, and conditions of --fail-if that hold.")
  var quiet = false

  /// - Parameters:
  ///   - best: what --best says.
  ///   - file: has the words of the command that made it, which may have been another.
  func nextStep(_ file: SweepResultsFile, _ path: String) -> String {
    let isStored = best == nil || file.identity.choice?.description == best
    let choice = isStored ? "" : " --best \(ShellWord.quoted(best ?? ""))"
    let example = SweepBestCommand.exampleScore(of: file.identity)
    let isChosen = best != nil || file.identity.choice != nil
    let winner =
      example.map {
        """
        ; 'retake sweep best \(Escaping.shellPath(path)) --by \($0.name) -o \(Folder.freePath("best", ".yaml"))' writes the \
        best setting
        """
      } ?? ""
    let report = "\(Escaping.shellPath(path)) -o \(Folder.freePath("report", ".html"))"
    return "Next: 'retake sweep report \(report)\(choice)' makes a page of the results\(isChosen ? "" : winner)."
  }

  var existing: ExistingFiles {
    var files = ExistingFiles()
    files.force = force
    return files
  }

  private static func help(_ need: ScoreKind.Need) -> String {
    let kinds = ScoreKind.allCases.filter { $0.need == need }
    let width = (ScoreKind.allCases.map(\.name.count).max() ?? 0) + 2
    return kinds.map { kind in
      // Narrower than a terminal's 80 columns, which would break lines without the indent.
      Format.wrapped("  \(Format.padded(kind.name, width))\(kind.help)", 79, indent: width + 2)
    }.joined(separator: "\n")
  }

  func validate() throws {
    if output?.isEmpty == true || output == "-" { throw ValidationError("--output takes a file to write results to.") }
    if let output,
      output.hasSuffix(".csv") || output.hasSuffix(".json") || ![nil, .results].contains(PathKind.named(output))
    {
      throw ValidationError(
        "--output \(output) is not named as results, which are an SQLite file; --csv and --json write tables.")
    }
    if writeBest != nil && best == nil { throw ValidationError("--write-best needs --best.") }
    if best != nil && shard != nil {
      throw ValidationError(
        "--best needs the whole sweep, but --shard runs a part: merge the parts, then use 'retake sweep best'.")
    }
    if searching.isWanted && best == nil {
      throw ValidationError("--search needs --best, as in --best 'flicker<1,iou'.")
    }
    if searching.isWanted && shard != nil { throw ValidationError("--search and --shard cannot be used together.") }
    if [csv, json, writeBest].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Only one of --csv, --json and --write-best can be standard output.")
    }
    if dryRun && [csv, json, writeBest].contains("-") {
      throw ValidationError("--dry-run writes nothing: leave out what goes to standard output.")
    }
  }

  func run() throws {
    if searching.isWanted { return try runSearch() }
    let choice = try best.map { text throws(RetakeError) in try SweepChoice(text) }
    let gates = try failIf.map { text throws(RetakeError) in try SweepGate(text) }
    let shard = try shard.map { text throws(RetakeError) in try SweepShard(text) }
    let (plan, namedScores) = try flags.plan(needed: (choice?.scores ?? []) + gates.flatMap(\.scores))
    var job = try plan.job { path throws(RetakeError) in try Recording.opened(path, isQuiet: quiet) }
    if let best { job.words += " " + ShellWord.joined(["--best", best]) }
    let identity = try job.identity()
    let part = shard.map { "-\($0.number)-of-\($0.count)" } ?? ""
    let path = output ?? ownPath("\(plan.name)-sweep\(part)", identity)
    let outputs = try SweepOutputs(csv: csv, json: json, best: writeBest, results: path, existing)
    if let choice { try identity.check(choice) }
    let work = SweepWork(
      job: job, identity: identity, path: path, shard: shard, pace: pace, isQuiet: quiet)
    say(identity.absenceSentences(of: namedScores) + identity.truthSentences(isPartial: true))
    try sayWhatLacks(job)
    if dryRun { return try print(SweepForecastText(work).text) }
    if output == nil, !path.hasSuffix("-sweep\(part).sqlite") {
      say(
        "The results go to \(path), since those before have other settings, frames or recordings; --output names the file."
      )
    }
    if output == nil { try UnnamedOutput.check(path) }
    let (outcome, file) = try work.run()
    guard outcome.isWhole else { throw ExitCode(ExitStatus.unfinished.rawValue) }
    if force && outcome.runCount == 0 {
      say("--force does not replace results: remove \(path), or name another file with -o, to run all again.")
    }
    let summaries = try file.summaries()
    let failures = SweepFailures(summaries)
    for sentence in failures.sentences { Terminal.say(sentence) }
    say(SweepInfluence(identity, summaries).sentences)
    // Written first, since there may be no best setting.
    try outputs.writeTables(identity, summaries, isQuiet: quiet)
    let winner = try choice.map { choice throws(RetakeError) in try SweepWinner(choice, of: summaries, identity) }
    if let winner { try outputs.write(winner, isQuiet: quiet) }
    if !outputs.useStandardOutput { try print(winner?.text.printable ?? path) }
    if shard == nil {
      say(nextStep(file, path))
    }
    // Other parts' runs are judged by them.
    let own = Set(gates.isEmpty ? [] : try work.runs())
    let found = try gates.flatMap { gate throws(RetakeError) in
      try gate.failures(of: summaries, identity, settings: winner.map { [$0.result.setting] })
    }.filter { shard == nil || own.contains($0.key) }
    for failure in found { Terminal.say("fails \(failure.description)") }
    if !found.isEmpty || failures.isEverything { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// What the settings and the recordings lack, told before anything runs.
  func sayWhatLacks(_ job: SweepJob) throws(RetakeError) {
    say(flags.parameters.idleSentences(in: job.settings))
    if job.tried.isEmpty && job.settings.count == 1 {
      say("Nothing is varied, so one setting is scored: --list, --scan and --range give values to try.")
    }
    for source in job.sources {
      let recording = source.recording
      say(
        [
          try flags.span.note(on: source.order.frames, of: recording), try recording.lossNote(),
          recording.faceAdvice(job.settings[0]),
          try recording.emptyStartAdvice(job.settings[0], from: source.order.frames.lowerBound),
          try Self.fewFrames(source, job),
        ].compactMap { $0 })
    }
    say(try Self.unlearned(job))
  }

  private static func fewFrames(_ source: SweepSource, _ job: SweepJob) throws(RetakeError) -> String? {
    let order = source.order.within(try source.recording.frameSetCount())
    let count = order.countOfOnePass
    guard order.every > 1, count < 10, !job.tried.isEmpty else { return nil }
    return "With --every \(order.every), \(Format.counted(count, "frame")) of \(order.frames.count) of \(source.path) "
      + "\(count == 1 ? "is" : "are") scored, too few to rank settings by: use a smaller --every, or more of the recording."
  }

  /// A sentence for each recording of which too little is played to learn the empty scene: no setting then has a mask.
  private static func unlearned(_ job: SweepJob) throws(RetakeError) -> [String] {
    let mask = PipelineParameters.mask
    let learning = job.settings.filter { $0[mask.kind] == .plate && $0[mask.plate].isEmpty }
    guard let wanted = learning.map({ $0[mask.plateFrames] }).max() else { return [] }
    var sentences: [String] = []
    let least = learning.map { $0[mask.plateFrames] }.min() ?? wanted
    for source in job.sources {
      let (played, empty) = try source.framesWithoutFace(upTo: wanted)
      guard played <= wanted || empty < wanted else { continue }
      let have =
        empty < wanted
        ? "of the \(played) frames of \(source.path) that are played \(empty == 0 ? "none has" : "\(empty) have") none"
        : "\(played) frames of \(source.path) are played"
      let sentence = "\(MissingPicture.learning(frameCount: wanted)), and \(have)"
      let hint =
        "play more of it, lower mask.plate-frames, or give mask.plate=FILE, which 'retake plate' learns from where the "
        + "scene is empty"
      if empty < least, learning.count == job.settings.count, job.sources.count == 1 {
        throw RetakeError(.notFound, "No setting makes a mask: \(sentence).", hint: hint)
      }
      sentences.append("\(sentence): \(hint).")
    }
    return sentences
  }

  /// The first of these names at which there is nothing, or this sweep's own results.
  private func ownPath(_ stem: String, _ identity: SweepIdentity) -> String {
    for number in 1...99 {
      let path = stem + (number == 1 ? "" : "-\(number)") + ".sqlite"
      do throws(RetakeError) {
        _ = try SweepResultsFile.openIfPresent(path, identity)
        return path
      } catch {
        // Any other error is reported when the file is opened to write.
        guard error.code == .usage else { return path }
      }
    }
    return stem + ".sqlite"
  }
}
