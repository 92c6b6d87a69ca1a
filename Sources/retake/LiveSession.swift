import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Rendering
import Replay
import Segmentation

/// One run of `live`: cameras into frame sets and into a recording, frame sets through the pipeline into outputs.
struct LiveSession {
  struct Result {
    var report: LiveReport
    var seconds: Double
    /// Why it ended, where that was an error.
    var failure: RetakeError?
    var recorded: RecorderStatus?
  }

  private let command: LiveCommand
  private let cameras: RecordedDevices
  private let sets: LiveFrameSets
  private let recorder: Recorder?
  private let loop: LiveLoop

  /// Opens everything.
  init(
    _ command: LiveCommand, preset: String, parameters: ParameterSet, tap: Tap, targets: [OutputTarget]
  ) throws(RetakeError) {
    self.command = command
    let isQuiet = command.quiet
    var supervision = SupervisionOptions()
    supervision.policy = command.onDisconnect
    supervision.timeoutNanoseconds = command.timeout?.nanoseconds
    let path = parameters[PipelineParameters.background]
    let background = try path.isEmpty ? nil : BackgroundFile(path: path)
    cameras = try RecordedDevices(command.device, flags: command.deviceFlags, supervision: supervision, work: "show") {
      sentence in
      if !isQuiet { Terminal.say(sentence) }
    }
    if !isQuiet { for device in cameras.devices { Terminal.say(device.summary) } }
    let streams = cameras.streams
    let wanted = OutputTarget.wantedStages(targets, tap: tap)
    let needsDepth = wanted != .original && PipelineNeeds(parameters).needsDepth
    let depth = streams.firstIndex { $0.kind == .depth }
    guard let color = streams.firstIndex(where: { $0.kind == .color }), depth != nil || !needsDepth else {
      throw RetakeError(
        .unsupported,
        "\(command.device.joined(separator: " and ")) gives no colour\(needsDepth ? ", or no depth" : ""), which "
          + "\(preset) needs.",
        hint: "'retake devices' shows what a camera gives; depth may come from a second --device")
    }
    let format = try PipelineFormat(
      color: streams[color], depth: needsDepth ? depth.map { streams[$0] } : nil, parameters)
    let segmenting = ParameterTimeline.none.segmenting(parameters, wanted)
    let segmenter = try segmenting.flatMap { parameters throws(RetakeError) in
      try Segmenters.make(parameters, recording: nil) { if !isQuiet { Terminal.say($0) } }
    }
    let pipeline = try MattePipeline(
      format, parameters: parameters, sources: PipelineSources(background: background?.source, segmenter: segmenter),
      wanted: wanted,
      threadCount: command.threads ?? min(256, ProcessInfo.processInfo.activeProcessorCount))

    let (recorder, faces) = try Self.recorder(command, cameras, streams)
    self.recorder = recorder
    let schedule = DepthSchedule(parameters)
    var options = LiveFrameSets.Options()
    options.isDepthDue = { schedule.isDepthDue(onVideoFrame: $0) }
    options.usesDepth = needsDepth
    options.heldCount = MattePipeline.heldFrameSetCount(parameters)
    options.largestRate = command.maxFPS.flatMap { FrameRate($0) }
    sets = LiveFrameSets(streams, isLive: cameras.isLive, faces: faces, options: options)

    let identity = ReplayIdentity(
      recordingID: recorder == nil ? "live" : "recorded live", preset: preset, parameters: parameters,
      schedule: schedule, firstFrame: 0, frameCount: nil, background: background?.identity,
      masks: segmenter?.identity)
    let rate = options.largestRate.map { $0.framesPerSecond < streams[color].rate.framesPerSecond ? $0 : nil } ?? nil
    let shownRate = rate ?? streams[color].rate
    var sinks: [any RenderSink] = []
    do throws(RetakeError) {
      for target in targets {
        guard
          let sink = try target.open(
            tap: tap, sizes: pipeline.sizes, rate: shownRate, frames: 0..<0, identity: identity)
        else { continue }
        sinks.append(target.kind == .mp4 ? SteadySink(sink, rate: shownRate) : sink)
      }
    } catch {
      // Nothing was recorded yet.
      _ = recorder?.finish()
      recorder?.removeAll()
      throw error
    }
    loop = LiveLoop(sets, pipeline, sinks: sinks, hasClock: cameras.isLive)
  }

  /// The recorder, where there is to be one, and who looks for faces for what is shown.
  private static func recorder(
    _ command: LiveCommand, _ cameras: RecordedDevices, _ streams: [StreamDescription]
  ) throws(RetakeError) -> (Recorder?, LiveFaces) {
    let isLive = cameras.devices.flatMap { device in device.streams.map { _ in device.isLive } }
    let choice = try FaceChoice(command.faces, streams: streams) { isLive[$0] }
    if !command.quiet && !choice.sentence.isEmpty { Terminal.say(choice.sentence) }
    guard let path = command.record else { return (nil, .own(choice.recording)) }
    var options = RecorderOptions()
    if !cameras.isLive {
      options.wallClockNanoseconds = 0
      options.id = Recorder.id(of: streams)
    }
    var (recorded, shown) = (choice.recording, LiveFaces.own(choice.recording))
    if case .detector(let observer, let stream, let depthStream) = choice.recording {
      if cameras.isLive {
        let relay = FaceRelay(observer)
        recorded = .detector(relay, stream: stream, depthStream: depthStream)
        shown = .shared(relay)
      } else {
        // Without a clock both look at every frame; each needs a detector of its own, for it remembers.
        shown = .own(try FaceChoice(command.faces, streams: streams) { isLive[$0] }.recording)
      }
    }
    return (
      try Recorder(folder: RecordingFolder(path: path), streams: streams, options: options, faces: recorded), shown
    )
  }

  /// Until a signal, the duration, the cameras' end or a failure.
  func run(_ stop: StopSignal) throws(RetakeError) -> Result {
    let isQuiet = command.quiet
    let ends = DeviceEnds(
      count: cameras.devices.count, endsAtFailure: command.onDisconnect == .stop, stop: stop
    ) { error in
      if !isQuiet { Terminal.say("\(error.message) The show goes on without it.") }
    }
    let start = MonotonicTime.now()
    try startDevices(ends)
    let line = LiveRateLine(isShown: Terminal.errorIsTerminal && !isQuiet)
    var failure: RetakeError?
    do throws(RetakeError) {
      while !stop.isSet, !isOver(start), try loop.step() {
        line.update(
          LiveReport(streams: cameras.streams, counts: sets.counts, statistics: loop.statistics),
          away: cameras.away.map(\.name), recorder: recorder?.status)
      }
      failure = recorder?.status.failure
    } catch {
      failure = error
      sets.close()
    }
    // What came until the cameras' own end is shown; when somebody else ended it, nothing waits any more.
    if !ends.isComplete || failure != nil { sets.close() }
    for device in cameras.devices { device.stop() }
    sets.finish()
    if failure == nil {
      do throws(RetakeError) {
        while try loop.step() {}
        try loop.finish()
      } catch { failure = error }
    }
    line.end()
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    return Result(
      report: LiveReport(streams: cameras.streams, counts: sets.counts, statistics: loop.statistics), seconds: seconds,
      failure: failure ?? ends.failure, recorded: recorder?.finish())
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

  private func isOver(_ start: MonotonicTime) -> Bool {
    if recorder?.status.failure != nil { return true }
    guard let duration = command.duration else { return false }
    // What has no clock is as long as its frames say.
    guard cameras.isLive else { return loop.lastPresentation.nanoseconds >= duration.nanoseconds }
    return MonotonicTime.now().nanoseconds - start.nanoseconds >= duration.nanoseconds
  }

  /// Says what was shown and lost.
  /// - Throws: the failure where nothing was shown; an exit code where a camera failed or the recording lost frames.
  func conclude(_ result: Result, _ targets: [OutputTarget]) throws {
    let (report, recorded) = (result.report, result.recorded)
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
      for target in targets where !target.isStandardOutput && target.kind != .none {
        Terminal.say("wrote \(target.text)")
      }
      if let recorded {
        Terminal.say(
          "Recorded \(Format.counts(cameras.streams, recorded.frameCounts)) frames; "
            + "\(Format.bytes(recorded.storedByteCount)).")
        for folder in recorded.folders { Terminal.say("wrote \(folder.path)") }
      }
    }
    if command.json {
      print(report.json(seconds: result.seconds, recordings: recorded?.folders.map(\.path) ?? []).text)
    }
    if let failure = result.failure, failure.code != .device && failure.code != .disconnected {
      throw ExitCode(ExitStatus.of(failure).rawValue)
    }
    if result.failure != nil || recorded?.droppedCount ?? 0 > 0 { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
