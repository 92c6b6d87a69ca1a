import ArgumentParser
import RecordingStore
import Replay
import Support

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Runs a recording through the pipeline, to the same bits every time.",
    discussion: """
      retake replay first.retake
      retake replay first.retake --set depth.rate=1/2 --background room.jpg \\
          --output out.mp4
      retake replay first.retake --output - | ffplay -
      retake replay first.retake --output a.jsonl --output mattes/ --tap matte
      retake replay first.retake --parameters mine.yaml --at 120 matte.still=0 \\
          --at 4s mask.offset=0.1
      retake replay first.retake --loop --output /dev/video9
      retake replay first.retake --speed 0.5 --output - | ffplay -
      retake replay first.retake --loop --raw color=/dev/video9 \\
          --raw depth=/dev/video10

      'retake parameters' lists the parameters. In a terminal, space pauses and resumes, . or → shows one picture, + and - \
      change the speed, q quits. Keys and --speed change only when pictures are shown, never their content. With a V4L2 \
      device as output, other programs see a camera, in real time unless --speed is given.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String

  @OptionGroup(title: "Parameters and background") var flags: PipelineFlags

  @Option(
    help: ArgumentHelp(
      "Change a parameter from a frame on: a frame set's number, a time such as 4s, or mark:LABEL, then name=value. "
        + "Repeat it for several.", valueName: "when name=value"), completion: .moment,
    transform: ChangeArgument.init)
  var at: [ChangeArgument] = []

  @Option(
    name: [.short, .long],
    help: "\(OutputTarget.help("FILE.png (a contact sheet), ")) By default a contact sheet beside the recording.",
    completion: .file())
  var output: [String] = []

  @Option(
    help: "The picture that png, mp4, y4m and v4l2 show: original, depth, mask, matte or composite.", completion: .tap)
  var tap = "composite"

  @Option(
    help: ArgumentHelp(
      "Show a stream's own frames at a V4L2 output device, in its camera's place, instead of the pipeline's pictures. "
        + "Repeat it for several streams.", valueName: "stream=/dev/videoN"),
    transform: RawTarget.init)
  var raw: [RawTarget] = []

  @OptionGroup var existing: ExistingFiles

  @OptionGroup(title: "Which frames, how fast") var span: FrameSetSpan

  @OptionGroup(title: "Which frames, how fast") var play: PlayFlags

  @OptionGroup var threads: ThreadFlag

  @Flag(help: "Print the counts as JSON.") var json = false
  @OptionGroup var messages: QuietFlag

  func run() throws {
    guard raw.isEmpty else { return try playRaw() }
    let (preset, parameters) = try flags.resolved()
    let tap = try Tap.named(tap)
    let places = output.isEmpty && !json && !play.loop ? [OutputTarget.sheet(besides: recording)] : output
    let targets = try places.map { text throws(RetakeError) in try OutputTarget(text, existing) }
    try OutputTarget.check(targets, json: json)
    try OutputTarget.check(targets, passes: play.passes ?? 1)
    let hasKeys = ReplayKeys.isPossible(isQuiet: messages.quiet)
    try play.check(targets, hasKeys: hasKeys)
    try OutputTarget.checkPlaces(targets)
    if output.isEmpty, let sheet = targets.first { try UnnamedOutput.check(sheet.place) }
    _ = try ParameterTimeline(from: parameters, at.map { (0, $0.assignment) })
    if tap != .composite, !targets.contains(where: \.usesTap) {
      messages.say("No output is of --tap \(tap.rawValue): contact sheets show every stage, and digests are of all.")
    }
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    if let note = try source.lossNote() { messages.say(note) }
    let request = ReplayRequest(
      preset: preset, parameters: parameters, changes: try at.changes(of: parameters, in: source),
      order: play.order(try span.frameSets(of: source, say: messages.say)), firstNumber: try source.firstNumber())
    let session = try ReplaySession(
      source, request, wanted: OutputTarget.wantedStages(targets, tap: tap), threadCount: threads.count,
      note: messages.say)
    let (frames, start) = (session.frames, try source.start())
    messages.say(try flags.idleSentences(in: parameters, changes: at.map(\.assignment)))
    if span.isEverything, let part = try source.part() {
      messages.say("A part of a longer recording: frames \(part.text) are played; --from and --to choose others.")
    }
    for change in request.changes.changes where change.frame >= frames.upperBound {
      messages.say(
        "\(change.name) changes at frame \(change.frame), which is after the last one, \(frames.upperBound - 1).")
    }
    let stop = StopSignal()
    let controls = PlayControls(
      speed: play.speed(targets), isPaused: play.paused, endsWhen: { [flag = stop.flag] in flag.isSet })
    // A blocked reader of a pipe does not delay the end.
    let patience = WritePatience(until: { controls.state.isEnded })
    let outputs = RenderOutputs(
      try targets.compactMap { target throws(RetakeError) in
        try target.open(
          tap: tap, sizes: session.sizes, rate: play.rate(session.rate), frames: frames, start: start,
          header: session.header, patience: patience, maskDigest: { session.segmenter?.maskDigest }
        ).map { (target.text, $0) }
      }, tap: targets.contains(where: \.usesTap) ? tap : nil)
    let player = ReplayPlayer(
      session: session, start: start, controls: controls, hasKeys: hasKeys, isQuiet: messages.quiet)
    let result = try player.play(outputs)
    try ReplayReport(
      played: result, isComplete: !controls.state.isEnded, targets: targets, tap: tap,
      withoutTapCount: outputs.withoutTapCount, session: session
    )
    .conclude(json: json, isQuiet: messages.quiet)
    // Ending by a key is a choice; a signal may come from anywhere, so it counts as a failure.
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
