import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
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

    let session = try LiveSession(self, preset: preset, parameters: parameters, tap: tap, targets: targets, stop: stop)
    let result = try session.run()
    try session.conclude(result, targets)
  }
}
