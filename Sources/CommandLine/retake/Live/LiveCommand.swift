import ArgumentParser
import CaptureDevices
import FrameModel
import LiveSessions
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Runs live cameras through the pipeline and shows the result.",
    discussion: """
      retake live --device kinect:0 --background room.jpg | ffplay -fflags nobuffer -
      retake live --device kinect:0 --preset video-depth-maps-blur \\
          --output /dev/video9
      retake live --device simulated --record session.retake \\
          --output seen.mp4 --duration 10s

      Without --output, the pictures go to standard output as Y4M when that is a pipe or a file. The cameras never wait: frames for \
      which the pipeline or an output is too slow are left out and counted. Exits 3 when a camera failed, or the recording \
      lost frames; frames that are only left out of the show do not count.
      """)

  @Option(
    help: "The device to show: kind[:place][?option=value&…]. Repeat it when depth comes from another camera.",
    completion: .device)
  var device: [String] = []
  @OptionGroup(title: "Cameras") var deviceFlags: DeviceFlags

  @Option(help: "When a camera is unplugged or stalls: wait resumes when it returns, stop ends the show.")
  var onDisconnect = SupervisionOptions.Policy.wait

  @OptionGroup(title: "Cameras") var stall: TimeoutFlag

  @OptionGroup(title: "Parameters and background") var flags: PipelineFlags

  @Option(
    name: [.short, .long],
    help: "\(OutputTarget.help()) By default - where standard output is a pipe or a file, otherwise none.",
    completion: .file())
  var output: [String] = []

  @Option(help: "The picture that the outputs show: original, depth, mask, matte or composite.", completion: .tap)
  var tap = "composite"

  @OptionGroup var existing: ExistingFiles

  @Option(help: "Record the cameras into this folder at the same time.") var record: String?

  @Option(name: [.long, .customLong("max-duration")], help: "End after this much time: 5s, 2m, 1h.") var duration:
    TimeSpan?

  @Option(
    help: "Show at most this many frames per second, to limit the load on the machine.")
  var maxFPS: String?

  @OptionGroup var detection: FacesFlag

  @Option(help: "Number of the pipeline's threads. By default one per processor.") var threads: Int?

  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print counts of shown and lost frames as JSON at the end.") var json = false
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    try ThreadFlag.check(threads)
    if let duration, duration.nanoseconds == 0 { throw ValidationError("--duration takes more than 0: 5s, 2m, 1h.") }
    if let record, record.isEmpty { throw ValidationError("--record is empty.") }
    if let maxFPS, FrameRate(maxFPS).map({ $0.framesPerSecond > 1000 }) ?? true {
      throw ValidationError("--max-fps takes frames per second, such as 15 or 30000/1001, up to 1000.")
    }
  }

  func run() throws {
    // Here, so that an unknown option is reported first.
    if device.isEmpty { throw DeviceFlags.noDevice(of: "live") }
    let stop = StopSignal()
    let (preset, parameters) = try flags.resolved()
    let tap = try Tap.named(tap)
    let texts = output.isEmpty ? [Terminal.outputIsTerminal || json ? "none" : "y4m:-"] : output
    let targets = try texts.map { text throws(RetakeError) in try OutputTarget(text, of: .cameras, existing) }
    try OutputTarget.check(targets, json: json)
    try OutputTarget.checkPlaces(targets)

    try ReplayParameters.checkForCameras(parameters)
    let path = parameters[PipelineParameters.composite.background]
    let background = try path.isEmpty ? nil : BackgroundFile(path: path)
    let cameras = try cameras()
    let reports = LiveSession.Reports(
      note: messages.say, failure: Self.report,
      cameraFailure: { [messages] in messages.say("\($0.message) The show continues without it.") })
    if output.isEmpty && targets.allSatisfy({ $0.kind == .none }) && record == nil && !json {
      messages.say("Without an output, frames are only counted: pipe it to 'ffplay -', or give --output.")
    }
    if output.isEmpty && targets.contains(where: \.isStandardOutput) {
      messages.say("writing Y4M to standard output; --output names another place")
    }
    let session = try LiveSession(
      cameras, preset: preset, parameters: parameters, background: background,
      wanted: OutputTarget.wantedStages(targets, tap: tap),
      options: options(), stop: stop.flag, reports: reports
    ) { plan throws(RetakeError) in try Self.outputs(targets, tap, plan) }
    let line = LiveRateLine(isShown: Terminal.redraws && !messages.quiet)
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
    options.faces = detection.faces
    options.durationNanoseconds = duration?.nanoseconds
    options.largestRate = maxFPS.flatMap { FrameRate($0) }
    options.threadCount = ThreadFlag.count(threads)
    options.endsAtFailure = onDisconnect == .stop
    return options
  }

  private func cameras() throws(RetakeError) -> DeviceSet {
    let cameras = try DeviceSet(
      deviceFlags.specifications(device), supervision: stall.supervision(onDisconnect), work: "show",
      onChange: messages.say)
    messages.say(cameras.devices.map(\.summary))
    return cameras
  }

  private static func outputs(
    _ targets: [OutputTarget], _ tap: Tap, _ plan: LiveSession.OutputPlan
  ) throws(RetakeError) -> RenderOutputs {
    var outputs: [(name: String, sink: any RenderSink)] = []
    for target in targets {
      let sink = try target.open(
        tap: tap, sizes: plan.sizes, rate: plan.rate, frames: 0..<0, header: plan.header, patience: plan.patience,
        maskDigest: plan.maskDigest)
      guard let sink else { continue }
      outputs.append((target.text, target.kind == .mp4 ? SteadySink(sink, rate: plan.rate) : sink))
    }
    return RenderOutputs(outputs, tap: targets.contains(where: \.usesTap) ? tap : nil)
  }

  /// Reports a failure that does not end the run.
  @Sendable private static func report(_ failure: RetakeError) {
    if failure.code == .corrupt { return Terminal.say("\(failure.message) Such frames are left out, and counted.") }
    if failure.code == .readerGone {
      return Terminal.say("The program that reads the pictures has exited; other outputs and the recording continue.")
    }
    Terminal.report(failure)
    Terminal.say("This output has ended; other outputs and the recording continue.")
  }
}
