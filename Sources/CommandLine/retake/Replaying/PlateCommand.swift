import ArgumentParser
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

struct PlateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plate", abstract: "Learns the empty scene from a recording and writes it to a file, for mask.plate.",
    discussion: """
      retake plate empty.retake -o room.retake-plate
      retake plate session.retake --from 3s --to 5s -o room.retake-plate
      retake replay session.retake --preset static-camera \\
          --set mask.plate=room.retake-plate --background sky.jpg

      The file holds depth and colours of the scene, learned as mask.kind=plate learns them: from the frames without a face \
      of the span, of which at most the first \(PlateCommand.longest) frame sets are played. With it there is a mask from the \
      first frame on. Preset and parameters of depth, and mask.plate-outliers, must be those that the file is used with.
      """)

  /// The largest value of mask.plate-frames.
  private static let longest = 1000

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(name: [.short, .long], help: "The file to write.", completion: .file()) var output: String
  @OptionGroup(title: "Parameters") var flags: ParameterFlags
  @OptionGroup var existing: ExistingFiles
  @OptionGroup(title: "The part that shows the empty scene") var span: FrameSetSpan
  @OptionGroup var threads: ThreadFlag
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty.") }
  }

  func run() throws {
    let (preset, parameters) = try flags.resolved()
    try TextOutput.checkPlace(output, "--output")
    try existing.check(output)
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let frames = try span.frameSets(of: source, say: messages.say).clamped(to: 0..<source.frameSetCount())
      .prefix(Self.longest)
    let request = ReplayRequest(preset: preset, parameters: parameters, order: PlayOrder(frames: frames))
    // Only a replay tells how many frames have depth and no face. A second one learns from that many.
    var (session, delivered) = try replayed(source, request, learningFrom: frames.count)
    if session.learnedScene == nil, session.learnedFrameCount > 0 {
      (session, delivered) = try replayed(source, request, learningFrom: session.learnedFrameCount)
    }
    guard let learned = session.learnedScene else {
      throw RetakeError(
        .unsupported, "No plate was learned: none of \(Format.counted(delivered, "depth frame")) is without a face.",
        hint: "choose a part that shows the empty scene, with --from and --to")
    }
    try Folder.makeParent(of: output)
    try FileBytes.write(learned.scene.bytes, to: output)
    if summary.json { try print(json(learned, delivered).versioned.text) }
    guard !messages.quiet else { return }
    let faces = delivered - learned.frameCount
    Terminal.say(
      "learned \(learned.scene.size) from \(Format.counted(learned.frameCount, "depth frame"))"
        + (faces > 0 ? "; \(faces) with a face were left out" : ""))
    if learned.changedShare > MattePipeline.manyChanges {
      Terminal.say(
        "\(Format.decimals(100 * learned.changedShare, 0)) % of the depth map changed, so people may have been in it; "
          + "choose a part where the scene is empty, with --from and --to")
    }
    if !summary.json { try print(output) }
  }

  /// - Returns: the session at its end, and how many depth frames it got.
  private func replayed(
    _ source: Recording, _ request: ReplayRequest, learningFrom frameCount: Int
  ) throws(RetakeError) -> (ReplaySession, Int) {
    var request = request
    for assignment in [
      "mask.kind=plate", "mask.second=none", "mask.plate=", "mask.plate-color=true", "mask.plate-renew=0",
      "mask.plate-frames=\(max(1, frameCount))", "composite.kind=backdrop",
    ] { try request.parameters.set(assignment) }
    let session = try ReplaySession(source, request, wanted: .mask, threadCount: threads.count, note: messages.say)
    let stop = StopSignal()
    let bar = ProgressBar("plate", isQuiet: messages.quiet)
    defer { bar.end() }
    let result = try session.run(RenderOutputs([])) { done in
      bar.update(done, of: session.frameCount)
      return !stop.isSet
    }
    guard !stop.isSet else { throw RetakeError(.inputOutput, "Stopped: no plate was written.") }
    return (session, result.counts.depthDelivered)
  }

  private func json(_ learned: LearnedScene, _ delivered: Int) -> JSONObject {
    JSONObject([
      "output": output, "plate": learned.scene.identity, "width": learned.scene.size.width,
      "height": learned.scene.size.height, "frames": learned.frameCount,
      "frames_with_faces": delivered - learned.frameCount, "changed_share": learned.changedShare,
    ])
  }
}
