import ArgumentParser
import BugBundles
import MattePipeline
import RecordingStore
import Replay
import Support

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Packs a part of a recording and its expected output into one file, for a bug report.",
    discussion: """
      retake bundle session.retake --from 12s --to 15s --preset video-depth-maps \\
          --set matte.blur=8 --note "the left hand flickers" -o hand.retake-bundle
      retake bundle session.retake --mark fall --before 2s --after 1s \\
          --background room.jpg -o fall.retake-bundle
      retake reproduce fall.retake-bundle

      The bundle contains the part's frames, the parameters, the background, mask.plate, a network's masks (not the network), the digests \
      of every stage of every frame, and the note. 'retake reproduce' replays it. Privacy options apply before the digests \
      are computed, so that the bundle still reproduces. With options that change pixels, the background must be a picture, \
      of which only the pixels are stored, and mask.plate is refused.

      Exits 3 when the part's chunk files are damaged beside its frame sets, such as in faces.
      """)

  private static let suffix = ".retake-bundle"

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(name: [.short, .long], help: "The file to create; its name must end in .retake-bundle.", completion: .bundle)
  var output: String
  @OptionGroup(title: "Parameters and background") var flags: PipelineFlags
  @Option(
    help: ArgumentHelp(
      "Change a parameter from this frame of the recording on, as with 'retake replay'. Repeat it for several.",
      valueName: "when name=value"), completion: .moment,
    transform: ChangeArgument.init)
  var at: [ChangeArgument] = []
  @OptionGroup(title: "The part") var span: FrameSetSpan
  @OptionGroup(title: "The part") var around: MarkSpan
  @Option(help: "A description of what is wrong, for the reader of the report.") var note = ""
  @OptionGroup(title: "Privacy") var privacy: PrivacyFlags
  @OptionGroup var threads: ThreadFlag
  @Flag(help: SharingFlag.help(of: "bundle")) var shared = false
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty.") }
    if !output.hasSuffix(Self.suffix) {
      throw ValidationError("--output must end in \(Self.suffix), as in 'hand\(Self.suffix)'.")
    }
    try around.validate(besides: span)
  }

  func run() throws {
    let (preset, parameters) = try flags.resolved()
    // Validate parameter names before opening files.
    _ = try ParameterTimeline(from: parameters, at.map { (0, $0.assignment) })
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let frames = try around.frameSets(of: source) ?? span.frameSets(of: source, say: messages.say)
    let request = ReplayRequest(
      preset: preset, parameters: parameters, changes: try at.changes(of: parameters, in: source),
      order: PlayOrder(frames: frames), firstNumber: try source.firstNumber())
    let stop = StopSignal()
    let bar = ProgressBar("bundle", isQuiet: messages.quiet)
    var maker = BundleMaker()
    maker.note = note
    maker.threadCount = threads.count
    maker.rules = privacy.rules
    maker.isShared = shared
    maker.tell = messages.say
    maker.progress = { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    let report = try maker.run(source, request, to: output)
    bar.end()
    try conclude(report)
    let mayKeepPlate = !privacy.rules.changesPixels
    if let advice = try source.emptyStartAdvice(parameters, from: frames.lowerBound, mayKeepPlate: mayKeepPlate) {
      messages.say(advice)
    }
    if frames.lowerBound > 0, let parameter = PipelineMemory(parameters).parameter {
      messages.say(
        "With \(parameter), pictures depend on the frames before them, and the bundle's replay begins at its first frame: "
          + "what needs a longer history may look different in it. Begin earlier to keep that.")
    }
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func conclude(_ report: BundleMaker.Report) throws(RetakeError) {
    for sentence in report.damage { Terminal.say(sentence) }
    if privacy.rules.changesPixels {
      messages.say(
        "Its pictures are made of what is left, so mattes of heads may differ from those that you saw. Look whether what you "
          + "report still shows:\n  retake reproduce \(ShellWord.quoted(output)) --keep FOLDER\n"
          + "  retake replay FOLDER/recording.retake --parameters FOLDER/parameters.yaml")
    }
    if report.pictureCount == 0 {
      Terminal.say(
        "The replay gives no picture with these parameters, and 'retake reproduce' can check nothing else. 'retake replay' "
          + "with the same parameters says why.")
    }
    if summary.json {
      try print(
        JSONObject([
          "path": output,
          "bytes": report.byteCount,
          "frames": report.frameCount,
          "frames_beside": report.besideCount,
          "removed": report.removed,
          "remains": report.remainder,
          "damage": report.damage,
        ]).versioned.text)
    } else if !messages.quiet {
      let beside = report.besideCount > 0 ? ", and \(report.besideCount) outside the part that they depend on" : ""
      Terminal.say("\(Format.counted(report.frameCount, "frame"))\(beside); \(Format.bytes(report.byteCount)).")
      for sentence in report.removed { Terminal.say("Removed: \(sentence)") }
      Terminal.say("Still in the bundle: \(report.remainder)")
      try print(output)
    }
  }
}

struct PrivacyFlags: ParsableArguments {
  @Flag(help: "Replace faces and their surroundings with grey, and keep only the faces' boxes.")
  var facesOnlyBoxes = false
  @Flag(help: "Replace colour with black. Depth is kept; it shows people and rooms.") var dropColor = false
  @Flag(help: "Replace faces and their surroundings with coarse squares.") var blurFaces = false
  @Flag(help: "Leave out the cameras' serial numbers and the ports they were plugged into.")
  var dropSerials = false

  var rules: RedactionRules {
    var rules: RedactionRules = []
    if facesOnlyBoxes { rules.insert(.facesOnlyBoxes) }
    if dropColor { rules.insert(.dropColor) }
    if blurFaces { rules.insert(.blurFaces) }
    if dropSerials { rules.insert(.dropSerials) }
    return rules
  }
}
