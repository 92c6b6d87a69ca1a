import ArgumentParser
import BugBundles
import Foundation
import FrameModel
import Parameters
import RecordingStore
import Replay
import Support

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Makes a bug report of a part of a recording: one file that says what should come out of it.",
    discussion: """
      retake bundle session.retake --from 12s --to 15s --preset video-depth-maps --set matte.blur=8 \\
          --note "the left hand flickers" -o hand.retake-bundle
      retake bundle session.retake --mark fall --before 2s --after 1s --background room.jpg -o fall.retake-bundle
      retake reproduce fall.retake-bundle

      The bundle holds the part's frames, the parameters, the background, the masks of a network (not the network), the digests \
      of every stage of every frame, and the note. 'retake help reproduce' says what becomes of it. What a rule of privacy \
      removes is gone before the digests are made, so that the bundle reproduces all the same; of a background there are the \
      pixels of a picture then, and no video or recording.

      Exits 3 when some of the part could not be read.
      """)

  private static let suffix = ".retake-bundle"

  @Argument(help: "The recording's folder.") var recording: String
  @Option(name: [.short, .long], help: "The file to make; its name ends in .retake-bundle.") var output: String
  @OptionGroup var flags: ParameterFlags
  @Option(help: "Picture, video or recording behind the person: short for --set composite.background=FILE.")
  var background: String?
  @Option(
    help: ArgumentHelp(
      "A parameter that changes at a frame of the recording and holds from there on, as for 'retake replay'. Repeat it.",
      valueName: "when name=value"), transform: ChangeArgument.init)
  var at: [ChangeArgument] = []
  @OptionGroup var span: FrameSetSpan
  @OptionGroup var around: MarkSpan
  @Option(help: "What is wrong, for who reads the report.") var note = ""
  @Flag(help: "Faces and what is around them become grey, and nothing but their boxes stays known of them.")
  var facesOnlyBoxes = false
  @Flag(help: "Colour becomes black. Depth stays, and shows the shape of people and rooms.") var dropColor = false
  @Flag(help: "Faces and what is around them become coarse squares.") var blurFaces = false
  @Flag(help: "Serial numbers of cameras, and the places where they were plugged in, are left out.")
  var dropSerials = false
  @Option(help: "Threads; they change the time it takes and nothing else. By default one for each processor.")
  var threads: Int?
  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print what was made as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output names nothing.") }
    if !output.hasSuffix(Self.suffix) {
      throw ValidationError("--output takes a name that ends in \(Self.suffix), as in 'hand\(Self.suffix)'.")
    }
    try around.validate(besides: span)
    if let threads, !(1...256).contains(threads) { throw ValidationError("--threads takes 1 to 256.") }
  }

  func run() throws {
    var (preset, parameters) = try flags.resolved()
    if let background { try parameters.set("composite.background", to: background) }
    // Validate parameter names before opening files.
    _ = try ParameterTimeline(from: parameters, at.map { (0, $0.assignment) })
    let source = try Recording.opened(recording, isQuiet: quiet)
    let frames = try around.frameSets(of: source) ?? span.frameSets(of: source)
    let request = ReplayRequest(
      preset: preset, parameters: parameters, changes: try at.changes(of: parameters, in: source),
      order: PlayOrder(frames: frames), firstNumber: try source.firstNumber())
    let stop = StopSignal()
    var bar: ProgressBar?
    var maker = BundleMaker()
    maker.note = note
    maker.threadCount = threads
    maker.rules = rules
    maker.isShared = sharing.shared
    maker.tell = { [quiet] in if !quiet { Terminal.say($0) } }
    maker.progress = { [quiet] done, total in
      if bar == nil { bar = ProgressBar("bundle", total: total, isQuiet: quiet) }
      bar?.update(done)
      return !stop.isSet
    }
    let report = try maker.run(source, request, to: output)
    bar?.end()
    try conclude(report)
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private var rules: RedactionRules {
    var rules: RedactionRules = []
    if facesOnlyBoxes { rules.insert(.facesOnlyBoxes) }
    if dropColor { rules.insert(.dropColor) }
    if blurFaces { rules.insert(.blurFaces) }
    if dropSerials { rules.insert(.dropSerials) }
    return rules
  }

  private func conclude(_ report: BundleMaker.Report) throws(RetakeError) {
    for sentence in report.damage { Terminal.say(sentence) }
    if json {
      var object = JSONObject()
      object.add("path", output)
      object.add("bytes", report.byteCount)
      object.add("frames", report.frameCount)
      object.add("frames_beside", report.besideCount)
      object.add("removed", report.removed)
      object.add("damage", report.damage)
      try print(object.text)
    } else if !quiet {
      let beside = report.besideCount > 0 ? ", \(report.besideCount) beside them for what is in force" : ""
      let frames = report.frameCount == 1 ? "1 frame" : "\(report.frameCount) frames"
      Terminal.say("\(frames)\(beside); \(Format.bytes(report.byteCount)).")
      for sentence in report.removed { Terminal.say("Removed: \(sentence)") }
      try print(output)
    }
  }
}
