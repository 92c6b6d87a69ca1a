import ArgumentParser
import BugBundles
import Parameters
import Replay
import Support

struct ReproduceCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "reproduce", abstract: "Replays bug bundles and checks that the output is as expected.",
    discussion: """
      retake reproduce hand.retake-bundle
      retake reproduce bugs/*.retake-bundle --quiet
      retake reproduce hand.retake-bundle --expect-different
      retake reproduce hand.retake-bundle --keep hand
      retake reproduce hand.retake-bundle --set depth.rate=1/3 --keep other
      retake compare other/expected.jsonl other/found.jsonl

      Exits 0 when every stage of every frame is as expected; otherwise shows the first frame and stage that differ, and \
      exits 1. For a bundle whose recorded output is wrong, --expect-different exits 1 while the output is the same, and 0 \
      once it differs.

      With --set, the bundle is replayed with other parameters, and the first frame and stage are shown where the output \
      differs from the expected one. Exits 1 when the output changes, 0 when it does not.

      With --keep, the digests of an unexpected output are written to found.jsonl, next to expected.jsonl. parameters.yaml \
      has the parameters at the first frame; later changes and frame numbers are in the first line of expected.jsonl.

      A bundle from an untrusted source is safe to open: nothing in it is executed, and it cannot refer to local files. It is \
      unpacked into a temporary folder, which is removed afterwards.
      """)

  @Argument(help: ArgumentHelp("Bundles that 'retake bundle' made.", valueName: "bundle"), completion: .bundle)
  var bundles: [String]
  @Flag(help: "The bundle documents a wrong output: exit 0 when the output differs from it, 1 while it is the same.")
  var expectDifferent = false
  @Option(
    help:
      "Replay with this parameter instead of the bundle's, as name=value. Repeat it; the last one counts.",
    completion: .assignment)
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "Unpack the bundle into this folder and keep it, for 'retake replay' and 'retake compare'.",
      valueName: "folder"), completion: .directory)
  var keep: String?
  @OptionGroup var threads: ThreadFlag
  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print the results as JSON, one line per bundle.") var json = false
  @Flag(name: [.short, .long], help: "Print only errors and unexpected results.") var quiet = false

  func validate() throws {
    if bundles.isEmpty { throw ValidationError("Name at least one bundle.") }
    if keep != nil && bundles.count > 1 { throw ValidationError("--keep takes one bundle at a time.") }
    if keep == "" { throw ValidationError("--keep is empty.") }
  }

  func run() throws {
    if let keep, let wrong = PathKind.wrongFolderName(keep, of: "an unpacked bundle", hint: "name a folder") {
      throw wrong
    }
    // Validate parameter names before opening files.
    var parameters = ParameterSet(ReplaySession.declarations)
    for assignment in set { try parameters.set(assignment) }
    let stop = StopSignal()
    var isGood = true
    for path in bundles {
      do throws(RetakeError) {
        isGood = try reproduce(path, stop) && isGood
      } catch {
        if json { try printJSON(path, nil, error) }
        // A bundle that fails does not stop the others.
        guard bundles.count > 1, !stop.isSet else { throw error }
        isGood = false
        Terminal.report(error)
      }
    }
    if !isGood { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// - Returns: whether the result is the wanted one, given `expectDifferent`.
  private func reproduce(_ path: String, _ stop: StopSignal) throws(RetakeError) -> Bool {
    let scratch = keep == nil ? try ScratchFolder(named: "retake-reproduce") : nil
    defer { withExtendedLifetime(scratch) {} }
    let folder = keep ?? scratch!.path("bundle")
    let bundle = try UnpackedBundle(path: path, into: folder, isShared: sharing.shared) { !stop.isSet }
    introduce(path, bundle.description)
    // Before the replay, which may take minutes: what follows is to be read with this in mind.
    if let note = Reproduction.revisionNote(bundle.description) { Terminal.say(note) }
    let bar = ProgressBar("reproduce", isQuiet: quiet)
    let result = try Reproduction.run(
      bundle, setting: set, keepsFound: keep != nil, threadCount: threads.count, note: say
    ) { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    let isGood = result.isReproduced != expectDifferent
    if json {
      try printJSON(path, result, nil)
    } else if !isGood || !quiet {
      try print("\(path): \(sentence(result))")
    }
    if !json && !quiet { for sentence in result.idle { Terminal.say(sentence) } }
    if !isGood || !quiet {
      if let note = result.versionNote, !result.isReproduced { Terminal.say(note) }
      if !result.isReproduced { Terminal.say(nextStep(path)) }
    }
    return isGood
  }

  private func introduce(_ path: String, _ description: BundleDescription) {
    // A stranger's text is indented, so that it does not pass for Retake's own.
    if !description.note.isEmpty { say("\(path) says:\n\(description.note.indentedLines)") }
    say(description.removedTold.map { "Removed from it: \($0)" })
  }

  private func sentence(_ result: Reproduction.Result) -> String {
    if result.frameCount == 0 && result.firstDifference == nil && set.isEmpty {
      return "reproduced: as expected, the replay gives no picture, so nothing else was checked."
    }
    let frames = Format.counted(result.frameCount, "frame", "is", "are")
    let change = set.isEmpty ? "" : "with \(set.joined(separator: " ")): "
    guard let difference = result.firstDifference else {
      if !set.isEmpty { return "\(change)nothing changes: \(frames) as expected." }
      return "reproduced: \(frames) as expected"
        + (expectDifferent ? ", an output that the bundle documents as wrong." : ".")
    }
    guard !set.isEmpty, result.differingCount > 0 else { return change + difference.sentence }
    let counts = DigestStage.counted(result.stageCounts)
    return "\(change)\(difference.sentence) \(result.differingCount) of "
      + "\(Format.counted(result.frameCount, "frame")) \(result.differingCount == 1 ? "differs" : "differ"): \(counts)."
  }

  private func nextStep(_ path: String) -> String {
    guard let keep else {
      if !set.isEmpty { return "Add --keep FOLDER to save the digests of both, for 'retake compare'." }
      return
        "'retake reproduce \(path) --keep FOLDER' unpacks it, and saves the output's digests next to the expected ones."
    }
    return
      "'retake compare \(keep)/expected.jsonl \(keep)/found.jsonl' shows which frames and stages differ."
  }

  private func printJSON(_ path: String, _ result: Reproduction.Result?, _ error: RetakeError?) throws(RetakeError) {
    var object = JSONObject(["bundle": path])
    if let result {
      object.add([
        "is_reproduced": result.isReproduced,
        "is_as_expected": result.isReproduced != expectDifferent,
        "frames": result.frameCount,
        "differing_frames": result.differingCount,
        "differing_by_stage": DigestStage.json(result.stageCounts),
        "set": set.isEmpty ? nil : set,
        "version": result.description.version,
        "pipeline_revision": result.description.replay.pipelineRevision,
        "note": result.description.note,
        "removed": result.description.removed,
        "first_difference": result.firstDifference?.sentence,
      ])
      if case .frame(let frame, let stage, _, _) = result.firstDifference {
        object.add(["frame": frame, "stage": stage.rawValue])
      }
    }
    if let error { object.add("error", error.message) }
    try print(object.versioned.text)
  }
}
