import ArgumentParser
import Foundation
import FrameModel
import MattePipeline
import Parameters
import Pictures
import RecordingStore
import Rendering
import Replay
import Segmentation

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Feeds a recording through the pipeline, the same to the bit every time.",
    discussion: """
      retake replay first.retake --set depth.rate=1/2 --background room.jpg --output mp4:out.mp4
      retake replay first.retake --output y4m:- | ffplay -
      retake replay first.retake --output digests:a.jsonl --output png:mattes --tap matte

      'retake parameters' lists what can be set.
      """)

  @Argument(help: "The recording's folder.") var recording: String

  @Option(help: "Where the parameters start from.") var preset = Preset.all[0].name

  @Option(help: "A parameter: name=value. Repeat it; the last one counts.") var set: [String] = []

  @Option(help: "The picture behind the person: short for --set composite.background=FILE.") var background: String?

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
    let parameters = try chosenParameters()
    guard let tap = Tap(rawValue: tap) else {
      throw RetakeError(
        .usage, "There is no tap '\(self.tap)'.",
        hint: "there are \(Tap.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let targets = try output.map { text throws(RetakeError) in try OutputTarget(text) }
    if targets.filter(\.isStandardOutput).count + (json ? 1 : 0) > 1 {
      throw RetakeError(.usage, "Only one output can go to standard output.", hint: "name a file for the others")
    }
    let path = parameters[PipelineParameters.background]
    let picture = try path.isEmpty ? nil : PictureFile.readColor(path: path)
    let needs = PipelineNeeds(parameters)

    let source = try Recording.opened(recording, isQuiet: quiet)
    let depth = source.firstStream(.depth)
    guard let color = source.firstStream(.color), depth != nil || !needs.needsDepth else {
      throw RetakeError(
        .unsupported,
        "\(recording) lacks a colour\(needs.needsDepth ? " or a depth" : "") stream, which \(preset) needs.",
        hint: "'retake info' lists its streams")
    }
    let schedule = DepthSchedule(parameters)
    let range = try span.frameSets(of: source)
    let threadCount = threads ?? min(256, ProcessInfo.processInfo.activeProcessorCount)
    let cursor = try ReplayCursor(
      source, schedule: schedule, frames: range, threadCount: threadCount,
      heldCount: MattePipeline.heldFrameSetCount(parameters))
    let format = try PipelineFormat(
      color: source.streams[color], depth: needs.needsDepth ? depth.map { source.streams[$0] } : nil, parameters)
    let segmenter = try Segmenters.make(parameters, recording: source) { [quiet] in
      if !quiet { Terminal.say($0) }
    }
    // Whatever ends the replay: what a network took minutes for is kept.
    defer { segmenter?.finish() }
    var sources = PipelineSources(background: picture)
    sources.segmenter = segmenter
    let pipeline = try MattePipeline(format, parameters: parameters, sources: sources, threadCount: threadCount)
    let identity = ReplayIdentity(
      recordingID: source.identity.id, preset: preset, parameters: parameters, schedule: schedule,
      firstFrame: range.lowerBound, frameCount: cursor.frameCount, background: picture,
      masks: segmenter?.identity)
    let frames = range.lowerBound..<range.lowerBound + cursor.frameCount
    let rate = source.streams[color].rate
    let sinks = try targets.compactMap { target throws(RetakeError) in
      try target.open(tap: tap, sizes: pipeline.sizes, rate: rate, frames: frames, identity: identity)
    }

    let stop = StopSignal()
    let bar = ProgressBar("replay", total: cursor.frameCount, isQuiet: quiet)
    let start = MonotonicTime.now()
    let result = try RenderLoop(cursor, pipeline, sinks: sinks).run { done in
      bar.update(done)
      return !stop.isSet
    }
    bar.end()
    segmenter?.finish()
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    conclude(result, seconds: seconds, targets, rate, segmenter)
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func chosenParameters() throws(RetakeError) -> ParameterSet {
    var parameters = try Preset.named(preset).parameters(ParameterCatalog.declarations)
    for assignment in set { try parameters.set(assignment) }
    if let background { try parameters.set(PipelineParameters.background.declaration.name, to: background) }
    return parameters
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
      for target in targets where !target.isStandardOutput { Terminal.say("wrote \(target.text)") }
    }
  }
}
