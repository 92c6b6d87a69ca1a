import ArgumentParser
import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Rendering
import Replay
import ReplaySessions
import Segmentation

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Feeds a recording through the pipeline, the same to the bit every time.",
    discussion: """
      retake replay first.retake --set depth.rate=1/2 --background room.jpg --output mp4:out.mp4
      retake replay first.retake --output y4m:- | ffplay -
      retake replay first.retake --output digests:a.jsonl --output png:mattes --tap matte
      retake replay first.retake --parameters mine.yaml --at 120 matte.blur=8 --at 4s mask.offset=0.4

      'retake parameters' lists what can be set.
      """)

  @Argument(help: "The recording's folder.") var recording: String

  @OptionGroup var flags: ParameterFlags

  @Option(help: "Picture, video or recording behind the person: short for --set composite.background=FILE.")
  var background: String?

  @Option(
    help: ArgumentHelp(
      "A parameter that changes at a frame and holds from there on, as by a slider: a frame set's number, a time such as 4s, "
        + "or mark:LABEL, then name=value. Repeat it.", valueName: "when name=value"), transform: ChangeArgument.init)
  var at: [ChangeArgument] = []

  @Option(
    name: [.short, .long],
    help: "What to make: png:FOLDER, sheet:FILE.png, mp4:FILE, y4m:FILE, digests:FILE or none; - is standard output.")
  var output: [String] = []

  @Option(help: "Which picture png, mp4 and y4m show: original, depth, mask, matte or composite.")
  var tap = "composite"

  @OptionGroup var span: FrameSetSpan

  @Option(help: "Threads; they change the time it takes and nothing else. By default one for each processor.")
  var threads: Int?

  @Flag(help: "Print the counts as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if let threads, !(1...256).contains(threads) { throw ValidationError("--threads takes 1 to 256.") }
  }

  func run() throws {
    let (preset, parameters) = try chosenParameters()
    let tap = try Tap.named(tap)
    let targets = try output.map { text throws(RetakeError) in try OutputTarget(text) }
    try OutputTarget.check(targets, json: json)
    // Words that are off are told before files are read.
    _ = try ParameterTimeline(from: parameters, at.map { (0, $0.assignment) })
    let source = try Recording.opened(recording, isQuiet: quiet)
    let request = ReplayRequest(
      preset: preset, parameters: parameters, changes: try at.changes(of: parameters, in: source),
      order: PlayOrder(frames: try span.frameSets(of: source)))
    let session = try ReplaySession(
      source, request, wanted: OutputTarget.wantedStages(targets, tap: tap), threadCount: threads
    ) { [quiet] in if !quiet { Terminal.say($0) } }
    let frames = session.frames
    if !quiet {
      for change in request.changes.changes where change.frame >= frames.upperBound {
        Terminal.say(
          "\(change.name) changes at frame \(change.frame), which is behind the last one, \(frames.upperBound - 1).")
      }
    }
    let outputs = RenderOutputs(
      try targets.compactMap { target throws(RetakeError) in
        try target.open(
          tap: tap, sizes: session.sizes, rate: session.rate, frames: frames, identity: session.identity,
          maskDigest: { session.segmenter?.maskDigest }
        ).map { (target.text, $0) }
      })

    let stop = StopSignal()
    let bar = ProgressBar("replay", total: session.frameCount, isQuiet: quiet)
    let start = MonotonicTime.now()
    let result = try session.run(outputs) { done in
      bar.update(done)
      return !stop.isSet
    }
    bar.end()
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    conclude(result, seconds: seconds, targets, session.rate, session.segmenter)
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func chosenParameters() throws(RetakeError) -> (preset: String, values: ParameterSet) {
    var (preset, parameters) = try flags.resolved()
    if let background { try parameters.set(PipelineParameters.background.declaration.name, to: background) }
    return (preset, parameters)
  }

  private func conclude(
    _ result: RenderLoop.Result, seconds: Double, _ targets: [OutputTarget], _ rate: FrameRate,
    _ segmenter: KeptSegmenter?
  ) {
    let counts = result.counts
    if json {
      var object = JSONObject()
      object.add("video_frames", counts.video)
      object.add("depth_delivered", counts.depthDelivered)
      object.add("depth_held", counts.depthHeld)
      object.add("depth_missing", counts.depthMissing)
      object.add("skipped", result.skipped)
      if let segmenter {
        object.add("masks", segmenter.identity.key)
        object.add("masks_found", segmenter.counts.found)
        object.add("masks_computed", segmenter.counts.computed)
        object.add("masks_failed", segmenter.counts.failed)
      }
      object.add("outputs", targets.map(\.text))
      print(object.text)
    } else if !quiet {
      let speed = Double(counts.video) / rate.framesPerSecond / max(seconds, 1e-9)
      Terminal.say(
        "\(counts.video) frames, depth delivered \(counts.depthDelivered), held \(counts.depthHeld), "
          + "missing \(counts.depthMissing), skipped \(result.skipped); "
          + "\(Format.seconds(seconds)), \(Format.decimals(speed, 1)) times real time")
      if let segmenter {
        let counts = segmenter.counts
        Terminal.say(
          "masks of \(segmenter.model): \(counts.found) were kept, \(counts.computed) computed"
            + (counts.failed > 0 ? ", \(counts.failed) failed" : ""))
      }
      for target in targets where !target.isStandardOutput && target.kind != .none {
        Terminal.say("wrote \(target.text)")
      }
    }
  }
}
