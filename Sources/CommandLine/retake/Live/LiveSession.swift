import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Segmentation
import Support

/// One run of `live`: cameras into frame sets and a recording, frame sets through the pipeline.
struct LiveSession {
  struct Result {
    var report: LiveReport
    var seconds: Double
    var failure: RetakeError?
    var recorded: RecorderStatus?
  }

  private let command: LiveCommand
  private let parameters: ParameterSet
  private let cameras: RecordedDevices
  private let sets: LiveFrameSets
  private let recorder: Recorder?
  private let outputs: RenderOutputs
  private let loop: LiveLoop
  private let stop: StopSignal
  private let patience: WritePatience

  init(
    _ command: LiveCommand, preset: String, parameters: ParameterSet, tap: Tap, targets: [OutputTarget],
    stop: StopSignal
  ) throws(RetakeError) {
    self.command = command
    self.parameters = parameters
    self.stop = stop
    patience = WritePatience(until: { stop.isSignalled })
    try ReplayParameters.checkForCameras(parameters)
    let path = parameters[PipelineParameters.background]
    let background = try path.isEmpty ? nil : BackgroundFile(path: path)
    cameras = try Self.cameras(command)
    let streams = cameras.streams
    let wanted = OutputTarget.wantedStages(targets, tap: tap)
    let needsDepth = wanted != .original && PipelineNeeds(parameters).needsDepth
    let (color, depth) = try Self.shownStreams(command, preset, streams, needsDepth: needsDepth)
    let segmenter = try ParameterTimeline.none.segmenting(parameters, wanted).flatMap {
      parameters throws(RetakeError) in
      try Segmenters.make(parameters, recording: nil) { if !command.quiet { Terminal.say($0) } }
    }
    let pipeline = try MattePipeline(
      PipelineFormat(color: color, depth: depth, parameters), parameters: parameters,
      sources: PipelineSources(background: background?.source, segmenter: segmenter), wanted: wanted,
      threadCount: command.threads ?? min(256, ProcessInfo.processInfo.activeProcessorCount))

    let (recorder, faces) = try Self.recorder(command, cameras, streams)
    self.recorder = recorder
    let schedule = DepthSchedule(parameters)
    var options = LiveFrameSets.Options()
    options.isDepthDue = { schedule.isDepthDue(onVideoFrame: $0) }
    options.usesDepth = needsDepth
    options.heldCount = MattePipeline.heldFrameSetCount(parameters)
    options.largestRate = command.maxFPS.flatMap { FrameRate($0) }
    // Without a clock, the duration is measured in frame timestamps.
    if !cameras.isLive { options.endNanoseconds = command.duration?.nanoseconds }
    sets = LiveFrameSets(streams, isLive: cameras.isLive, faces: faces, options: options)

    let identity = ReplayIdentity(
      recordingID: recorder == nil ? "live" : "recorded live", preset: preset, parameters: parameters,
      schedule: schedule, frameCount: nil, background: background?.identity,
      masks: segmenter?.identity)
    let isThinned = options.largestRate.map { $0.framesPerSecond < color.rate.framesPerSecond } ?? false
    let rate = isThinned ? options.largestRate ?? color.rate : color.rate
    do throws(RetakeError) {
      outputs = try Self.outputs(targets, tap, pipeline.sizes, rate, identity, patience) { segmenter?.maskDigest }
    } catch {
      _ = recorder?.finish()
      recorder?.removeAll()
      throw error
    }
    loop = LiveLoop(
      sets, pipeline, outputs: outputs, hasClock: cameras.isLive, survivesOutputs: recorder != nil,
      onFailure: Self.report)
  }

  private static func cameras(_ command: LiveCommand) throws(RetakeError) -> RecordedDevices {
    let isQuiet = command.quiet
    var supervision = SupervisionOptions()
    supervision.policy = command.onDisconnect
    supervision.timeoutNanoseconds = command.timeout?.nanoseconds
    let cameras = try RecordedDevices(
      command.device, flags: command.deviceFlags, supervision: supervision, work: "show"
    ) { sentence in
      if !isQuiet { Terminal.say(sentence) }
    }
    if !isQuiet { for device in cameras.devices { Terminal.say(device.summary) } }
    return cameras
  }

  /// The first colour stream, and the first depth stream where depth is needed.
  private static func shownStreams(
    _ command: LiveCommand, _ preset: String, _ streams: [StreamDescription], needsDepth: Bool
  ) throws(RetakeError) -> (color: StreamDescription, depth: StreamDescription?) {
    let depth = needsDepth ? streams.first { $0.kind == .depth } : nil
    let color = streams.first { $0.kind == .color }
    if let color, depth != nil || !needsDepth { return (color, depth) }
    let missing = color == nil ? "colour" : "depth"
    let hint = "'retake devices' shows what a camera gives; \(missing) may come from a second --device"
    throw RetakeError(
      .unsupported, "\(command.device.joined(separator: " and ")) gives no \(missing), which \(preset) needs.",
      hint: color == nil ? hint : "\(hint); \(PipelineNeeds.withoutDepthHint)")
  }

  private static func outputs(
    _ targets: [OutputTarget], _ tap: Tap, _ sizes: PipelineSizes, _ rate: FrameRate, _ identity: ReplayIdentity,
    _ patience: WritePatience, maskDigest: @escaping () -> String?
  ) throws(RetakeError) -> RenderOutputs {
    var outputs: [(name: String, sink: any RenderSink)] = []
    for target in targets {
      let sink = try target.open(
        tap: tap, sizes: sizes, rate: rate, frames: 0..<0, identity: identity, patience: patience,
        maskDigest: maskDigest)
      guard let sink else { continue }
      outputs.append((target.text, target.kind == .mp4 ? SteadySink(sink, rate: rate) : sink))
    }
    return RenderOutputs(outputs, tap: targets.contains(where: \.usesTap) ? tap : nil)
  }

  /// Reports a failure that does not end the run.
  private static func report(_ failure: RetakeError) {
    if failure.code == .corrupt { return Terminal.say("\(failure.message) Such frames are left out, and counted.") }
    Terminal.report(failure)
    Terminal.say("That output has ended; the others, and the recording, go on.")
  }

  /// Runs until a signal, the duration, the cameras' end or a failure.
  func run() throws(RetakeError) -> Result {
    let isQuiet = command.quiet
    let ends = DeviceEnds(
      count: cameras.devices.count, endsAtFailure: command.onDisconnect == .stop, stop: stop
    ) { error in
      if !isQuiet { Terminal.say("\(error.message) The show goes on without it.") }
    }
    let start = MonotonicTime.now()
    let deadline = command.duration.map { MonotonicTime(nanoseconds: start.nanoseconds + $0.nanoseconds) }
    try startDevices(ends)
    let end = LiveEnd(
      cameras.devices, sets, recorder, stop: stop, ends: ends, patience: patience,
      deadline: cameras.isLive ? deadline : nil)
    end.watch()
    let line = LiveRateLine(isShown: Terminal.errorIsTerminal && !isQuiet)
    var failure: RetakeError?
    do throws(RetakeError) {
      while try loop.step() {
        line.update(
          LiveReport(streams: cameras.streams, counts: sets.counts, statistics: loop.statistics),
          away: cameras.away.map(\.name), recorder: recorder?.status)
      }
    } catch {
      failure = error
      sets.close()
      stop.set()
    }
    // The recording is completed before waiting for outputs.
    let recorded = end.wait()
    do throws(RetakeError) { try loop.finish() } catch { failure = failure ?? error }
    line.end()
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    return Result(
      report: LiveReport(streams: cameras.streams, counts: sets.counts, statistics: loop.statistics), seconds: seconds,
      failure: failure ?? recorded?.failure ?? ends.failure, recorded: recorded)
  }

  private func startDevices(_ ends: DeviceEnds) throws(RetakeError) {
    var firstStream = 0
    for device in cameras.devices {
      let shown = sets.sink(firstStream: firstStream) { ends.note($0) }
      let recorded = recorder?.sink(firstStream: firstStream, isLive: device.isLive) { _ in }
      firstStream += device.streams.count
      do throws(RetakeError) {
        try device.start(delivering: recorded.map { CaptureTee(first: $0, second: shown) } ?? shown)
      } catch {
        sets.close()
        for device in cameras.devices { device.stop() }
        _ = recorder?.finish()
        recorder?.removeAll()
        throw error
      }
    }
  }

  /// - Throws: the failure if no frame came; an exit code if a camera failed or frames were lost.
  func conclude(_ result: Result, _ targets: [OutputTarget]) throws {
    let (report, recorded) = (result.report, result.recorded)
    let hasTap = report.statistics.shown > outputs.withoutTapCount
    let wrote = targets.filter {
      !$0.isStandardOutput && outputs.finished.contains($0.text) && (hasTap || !$0.usesTap)
    }
    guard report.counts.sets > 0 else {
      recorder?.removeIfEmpty()
      throw result.failure
        ?? RetakeError(
          .device, "No camera delivered a frame.", hint: "check the cable and what 'retake devices' shows")
    }
    if let failure = result.failure { Terminal.report(failure) }
    if let failure = report.counts.faceFailure ?? recorded?.faceFailure {
      Terminal.report(failure)
      Terminal.say("No more faces were looked for from there on.")
    }
    if !command.quiet {
      Terminal.say(report.sentence(seconds: result.seconds))
      if report.statistics.shown == 0, report.statistics.skipped > 0, let lack = MissingPictures.live(parameters) {
        Terminal.say("Nothing was shown: \(lack.reason) (\(lack.hint)).")
      }
      if outputs.withoutTapCount > 0 {
        Terminal.say(
          "\(Format.counted(outputs.withoutTapCount, "frame")) had no \(command.tap): no PNG, or a black picture.")
      }
      for target in wrote { Terminal.say("wrote \(target.text)") }
      if let recorded {
        Terminal.say(
          "Recorded \(Format.counts(cameras.streams, recorded.frameCounts)) frames; "
            + "\(Format.bytes(recorded.storedByteCount)).")
        for folder in recorded.folders { Terminal.say("wrote \(folder.path)") }
      }
    }
    if command.json {
      try print(
        report.json(
          seconds: result.seconds, withoutTapCount: outputs.withoutTapCount,
          recordings: recorded?.folders.map(\.path) ?? []
        ).text)
    }
    if let failure = result.failure ?? outputs.failure, failure.code != .device && failure.code != .disconnected {
      throw ExitCode(ExitStatus.of(failure).rawValue)
    }
    if result.failure != nil || recorded?.droppedCount ?? 0 > 0 { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
