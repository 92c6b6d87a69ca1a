import ArgumentParser
import BugBundles
import Foundation
import FrameModel
import Parameters
import Replay
import Support

struct ReproduceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reproduce", abstract: "Replays bug bundles and says whether what they expect comes out.",
    discussion: """
      retake reproduce hand.retake-bundle
      retake reproduce bugs/*.retake-bundle --quiet
      retake reproduce hand.retake-bundle --expect-different
      retake reproduce hand.retake-bundle --set matte.blur=3
      retake reproduce hand.retake-bundle --keep hand
      retake compare hand/expected.jsonl hand/found.jsonl

      Exits 0 when every stage of every frame is as expected, and 1 with the first frame and stage that are not. A bundle that \
      documents a wrong output is to fail once the output is another: --expect-different exits 1 as long as it is the same. \
      With --set: exits 1 when the output changes, 0 when nothing does.

      With --set, the bundle is replayed with other parameters, and the answer says from which frame and stage on the output \
      differs from what the bundle expects.

      With --keep, the digests of an output that is not as expected are written to found.jsonl beside those expected. \
      parameters.yaml has what is in force at the first frame; what changes on the way, and numbers of frames, are in the first \
      line of expected.jsonl.

      A bundle of a stranger is safe to open: nothing in it is executed, and it names no file of this machine. It is unpacked \
      into a temporary folder, which goes away afterwards.
      """)

  @Argument(help: ArgumentHelp("Bundles that 'retake bundle' made.", valueName: "bundle")) var bundles: [String]
  @Flag(help: "The bundle documents a wrong output: exit 0 when it is another by now, 1 while it is the same.")
  var expectDifferent = false
  @Option(
    help:
      "What if: a parameter to replay with in place of the bundle's, as name=value. Repeat it; the last one counts.")
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "Unpack the bundle into this folder and leave it there, for 'retake replay' and 'retake compare'.",
      valueName: "folder"))
  var keep: String?
  @Option(help: "Threads; they change the time it takes and nothing else. By default one for each processor.")
  var threads: Int?
  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print what came out as JSON, a line for each bundle.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors and what is not as expected.") var quiet = false

  func validate() throws {
    if bundles.isEmpty { throw ValidationError("Name at least one bundle.") }
    if keep != nil && bundles.count > 1 { throw ValidationError("--keep takes one bundle at a time.") }
    if keep == "" { throw ValidationError("--keep names nothing.") }
    if let threads, !(1...256).contains(threads) { throw ValidationError("--threads takes 1 to 256.") }
  }

  func run() throws {
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
    if !quiet { introduce(path, bundle.description) }
    // Before the replay, which may take minutes: what follows is to be read with this in mind.
    if let note = Reproduction.revisionNote(bundle.description) { Terminal.say(note) }
    var bar: ProgressBar?
    let tell = { [quiet] (sentence: String) in if !quiet { Terminal.say(sentence) } }
    let result = try Reproduction.run(
      bundle, setting: set, keepsFound: keep != nil, threadCount: threads, note: tell
    ) { [quiet] done, total in
      if bar == nil { bar = ProgressBar("reproduce", total: total, isQuiet: quiet) }
      bar?.update(done)
      return !stop.isSet
    }
    bar?.end()
    let isGood = result.isReproduced != expectDifferent
    if json {
      try printJSON(path, result, nil)
    } else if !isGood || !quiet {
      try print("\(path): \(sentence(result))")
    }
    if !isGood || !quiet {
      if let note = result.versionNote, !result.isReproduced { Terminal.say(note) }
      if !result.isReproduced { Terminal.say(nextStep(path)) }
    }
    return isGood
  }

  private func introduce(_ path: String, _ description: BundleDescription) {
    // A stranger's text is indented, so that it does not pass for Retake's own.
    if !description.note.isEmpty { Terminal.say("\(path) says:\n\(description.note.indentedLines)") }
    for sentence in description.removedTold { Terminal.say("Removed from it: \(sentence)") }
  }

  private func sentence(_ result: Reproduction.Result) -> String {
    let frames = result.frameCount == 1 ? "1 frame is" : "\(result.frameCount) frames are"
    let change = set.isEmpty ? "" : "with \(set.joined(separator: " ")): "
    guard let difference = result.firstDifference else {
      if !set.isEmpty { return "\(change)nothing changes: \(frames) as expected." }
      return "reproduced: \(frames) as expected"
        + (expectDifferent ? ", which is what the bundle says is wrong." : ".")
    }
    guard !set.isEmpty, result.differingCount > 0 else { return change + difference.sentence }
    let counts = DigestStage.counted(result.stageCounts)
    return "\(change)\(difference.sentence) \(result.differingCount) of "
      + "\(Format.counted(result.frameCount, "frame")) \(result.differingCount == 1 ? "differs" : "differ"): \(counts)."
  }

  private func nextStep(_ path: String) -> String {
    guard let keep else {
      if !set.isEmpty { return "Add --keep FOLDER to have both digests, for 'retake compare'." }
      return
        "'retake reproduce \(path) --keep FOLDER' unpacks it, and writes what came out beside what was expected."
    }
    return
      "'retake compare \(keep)/expected.jsonl \(keep)/found.jsonl' says which frames and stages are not as expected."
  }

  private func printJSON(_ path: String, _ result: Reproduction.Result?, _ error: RetakeError?) throws(RetakeError) {
    var object = JSONObject()
    object.add("bundle", path)
    if let result {
      object.add("is_reproduced", result.isReproduced)
      object.add("is_as_expected", result.isReproduced != expectDifferent)
      object.add("frames", result.frameCount)
      object.add("differing_frames", result.differingCount)
      object.add("differing_by_stage", DigestStage.json(result.stageCounts))
      if !set.isEmpty { object.add("set", set) }
      object.add("version", result.description.version)
      if let revision = result.description.replay.pipelineRevision { object.add("pipeline_revision", revision) }
      object.add("note", result.description.note)
      object.add("removed", result.description.removed)
      if let difference = result.firstDifference {
        object.add("first_difference", difference.sentence)
        if case .frame(let frame, let stage, _, _) = difference {
          object.add("frame", frame)
          object.add("stage", stage.rawValue)
        }
      }
    }
    if let error { object.add("error", error.message) }
    try print(object.text)
  }
}
