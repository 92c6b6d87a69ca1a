import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import LiveSessions
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Shows what cameras see through the pipeline, while they see it.",
    discussion: """
      retake live --device kinect:0 --background room.jpg | ffplay -fflags nobuffer -
      retake live --device kinect:0 --preset video-depth-maps-blur --output v4l2:/dev/video9
      retake live --device simulated --record session.retake --output mp4:seen.mp4 --duration 10s

      Unless --output says otherwise, the picture goes to standard output as Y4M when that is a pipe. The cameras never wait: \
      what the pipeline or an output is too slow for is left out and counted. Exits 3 when a camera failed, or the recording \
      lost frames.
      """)

  @Option(help: "What to show: kind[:place][?option=value&…]. Repeat it when depth comes from another camera.")
  var device: [String] = []
  @OptionGroup var deviceFlags: DeviceFlags

  @Option(help: "When a camera is unplugged or stalls: wait takes it back when it returns, stop ends the show.")
  var onDisconnect = SupervisionOptions.Policy.wait

  @Option(help: "How long a camera may bring no frame before it is named and opened again: 2s or 10 frames.")
  var timeout: TimeSpan?

  @OptionGroup var flags: ParameterFlags

  @Option(help: "Picture, video or recording behind the person: short for --set composite.background=FILE.")
  var background: String?

  @Option(
    name: [.short, .long],
    help:
      "Where to show it: y4m:FILE (- is standard output), mp4:FILE, v4l2:/dev/videoN, png:FOLDER, digests:FILE or none."
  )
  var output: [String] = []

  @Option(help: "Which picture they show: original, depth, mask, matte or composite.") var tap = "composite"

  @OptionGroup var existing: ExistingFiles

  @Option(help: "Record the cameras into this folder at the same time.") var record: String?

  @Option(name: [.long, .customLong("max-duration")], help: "End after so much time: 5s, 2m, 1h.") var duration:
    TimeSpan?

  @Option(
    help: "Show at most so many frames a second: for a machine that gets too warm, or is wanted for other things.")
  var maxFPS: String?

  @Option(
    help: """
      Who looks for faces in the first colour stream: lbp, haar, yunet:FILE.onnx, recorded (the device itself), none, or \
      auto: the device itself, or lbp for a live camera.
      """) var faces = "auto"

  @Option(help: "Threads of the pipeline. By default one for each processor.") var threads: Int?

  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print what was shown and lost as JSON at the end.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if device.isEmpty { throw ValidationError("Name a camera with --device; 'retake devices' lists them.") }
    if let threads, !(1...256).contains(threads) { throw ValidationError("--threads takes 1 to 256.") }
    if let timeout, timeout.nanoseconds < 100_000_000 { throw ValidationError("--timeout takes 100ms or more.") }
    if let duration, duration.nanoseconds == 0 { throw ValidationError("--duration takes more than 0: 5s, 2m, 1h.") }
    if let record, record.isEmpty { throw ValidationError("--record names nothing.") }
    if let maxFPS, FrameRate(maxFPS).map({ $0.framesPerSecond > 1000 }) ?? true {
      throw ValidationError("--max-fps takes frames a second, such as 15 or 30000/1001, up to 1000.")
    }
  }

  func run() throws {
    let stop = StopSignal()
    var (preset, parameters) = try flags.resolved()
    if let background { try parameters.set(PipelineParameters.background.declaration.name, to: background) }
    let tap = try Tap.named(tap)
    let texts = output.isEmpty ? [Terminal.outputIsTerminal || json ? "none" : "y4m:-"] : output
    let targets = try texts.map { text throws(RetakeError) in try OutputTarget(text, of: .cameras, existing) }
    try OutputTarget.check(targets, json: json)
    try OutputTarget.checkPlaces(targets)

    try ReplayParameters.checkForCameras(parameters)
    let path = parameters[PipelineParameters.background]
    let background = try path.isEmpty ? nil : BackgroundFile(path: path)
    let cameras = try cameras()
    let isQuiet = quiet
    let reports = LiveSession.Reports(
      note: { if !isQuiet { Terminal.say($0) } }, failure: Self.report,
      cameraFailure: { if !isQuiet { Terminal.say("\($0.message) The show goes on without it.") } })
    let session = try LiveSession(
      cameras, preset: preset, parameters: parameters, background: background,
      wanted: OutputTarget.wantedStages(targets, tap: tap),
      options: options(), stop: stop.flag, reports: reports
    ) { plan throws(RetakeError) in try Self.outputs(targets, tap, plan) }
    let line = LiveRateLine(isShown: Terminal.errorIsTerminal && !quiet)
    let result = try session.run {
      line.update(
        LiveReport(streams: cameras.streams, counts: session.counts, statistics: session.statistics),
        away: cameras.away.map(\.name), recorder: session.recorder?.status)
    }
    line.end()
    try conclude(session, result, targets, parameters)
  }

  private func options() -> LiveSession.Options {
    var options = LiveSession.Options()
    options.recording = record.map { RecordingFolder(path: $0, isShared: sharing.shared) }
    options.faces = faces
    options.durationNanoseconds = duration?.nanoseconds
    options.largestRate = maxFPS.flatMap { FrameRate($0) }
    options.threadCount = threads
    options.endsAtFailure = onDisconnect == .stop
    return options
  }

  private func cameras() throws(RetakeError) -> DeviceSet {
    let isQuiet = quiet
    var supervision = SupervisionOptions()
    supervision.policy = onDisconnect
    supervision.timeoutNanoseconds = timeout?.nanoseconds
    let cameras = try DeviceSet(deviceFlags.specifications(device), supervision: supervision, work: "show") {
      sentence in if !isQuiet { Terminal.say(sentence) }
    }
    if !quiet { for device in cameras.devices { Terminal.say(device.summary) } }
    return cameras
  }

  private static func outputs(
    _ targets: [OutputTarget], _ tap: Tap, _ plan: LiveSession.OutputPlan
  ) throws(RetakeError) -> RenderOutputs {
    var outputs: [(name: String, sink: any RenderSink)] = []
    for target in targets {
      let sink = try target.open(
        tap: tap, sizes: plan.sizes, rate: plan.rate, frames: 0..<0, identity: plan.identity, patience: plan.patience,
        maskDigest: plan.maskDigest)
      guard let sink else { continue }
      outputs.append((target.text, target.kind == .mp4 ? SteadySink(sink, rate: plan.rate) : sink))
    }
    return RenderOutputs(outputs, tap: targets.contains(where: \.usesTap) ? tap : nil)
  }

  /// Reports a failure that does not end the run.
  @Sendable private static func report(_ failure: RetakeError) {
    if failure.code == .corrupt { return Terminal.say("\(failure.message) Such frames are left out, and counted.") }
    Terminal.report(failure)
    Terminal.say("That output has ended; the others, and the recording, go on.")
  }
}
