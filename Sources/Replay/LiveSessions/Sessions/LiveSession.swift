import CaptureDevices
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// One run of cameras: builds frame sets, records them if asked to, and renders them through the
/// pipeline.
package final class LiveSession {
  package struct Options {
    /// The folder of a simultaneous recording; nil for none.
    package var recording: RecordingFolder?
    /// The text of `--faces`; see `FaceChoice`.
    package var faces = "auto"
    package var durationNanoseconds: Int64?
    package var largestRate: FrameRate?
    package var threadCount = ProcessorCount.usable
    package var endsAtFailure = false
    package init() {}
  }

  /// Callbacks with messages for the user. Called on any thread.
  package struct Reports: Sendable {
    package var note: @Sendable (_ sentence: String) -> Void
    /// The first damaged frame, or an output that failed; the run continues.
    package var failure: @Sendable (RetakeError) -> Void
    /// A camera failed, and the others continue.
    package var cameraFailure: @Sendable (RetakeError) -> Void

    package init(
      note: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (RetakeError) -> Void,
      cameraFailure: @escaping @Sendable (RetakeError) -> Void
    ) {
      (self.note, self.failure, self.cameraFailure) = (note, failure, cameraFailure)
    }
  }

  package struct Result {
    package var seconds: Double
    package var failure: RetakeError?
    package var recorded: RecorderStatus?
  }

  package struct OutputPlan {
    package let sizes: PipelineSizes
    package let rate: FrameRate
    package let header: DigestHeader
    package let patience: WritePatience
    /// The digest of a network's masks; call it at the end of the run.
    package let maskDigest: () -> String?
  }

  package let cameras: DeviceSet
  package let recorder: Recorder?
  private let options: Options
  private let reports: Reports
  private let sets: LiveFrameSets
  package let outputs: RenderOutputs
  private let loop: LiveLoop
  private let stop: StopFlag
  private let patience: WritePatience

  package var counts: LiveFrameSets.Counts { sets.counts }
  package var statistics: LiveStatistics { loop.statistics }

  /// - Parameters:
  ///   - background: the file of `composite.background`.
  ///   - wanted: the stages that the outputs show.
  ///   - makeOutputs: called once everything else is ready.
  /// - Throws: `.unsupported` where the cameras lack what the parameters need; errors of files,
  ///   networks and outputs. A recording that was begun is then removed.
  package init(
    _ cameras: DeviceSet, preset: String, parameters: ParameterSet, background: BackgroundFile?, wanted: PipelineStages,
    options: Options,
    stop: StopFlag, reports: Reports, outputs makeOutputs: (OutputPlan) throws(RetakeError) -> RenderOutputs
  ) throws(RetakeError) {
    (self.cameras, self.options, self.reports, self.stop) = (cameras, options, reports, stop)
    patience = WritePatience(until: { stop.isInterrupted })
    let needsDepth = wanted != .original && PipelineNeeds(parameters).needsDepth
    let (color, depth) = try Self.shownStreams(cameras, preset, needsDepth: needsDepth)
    let segmenter = try ParameterTimeline.none.segmenting(parameters, wanted).flatMap {
      parameters throws(RetakeError) in try Segmenters.make(parameters, recording: nil, note: reports.note)
    }
    let scene = try EmptyScene.named(in: parameters)
    let pipeline = try MattePipeline(
      PipelineFormat(color: color, depth: depth, parameters), parameters: parameters,
      sources: PipelineSources(background: background?.source, segmenter: segmenter, scene: scene),
      wanted: wanted, threadCount: options.threadCount)
    let faces: LiveFaces
    (recorder, faces) = try Self.recorder(cameras, options, reports.note)
    let schedule = DepthSchedule(parameters)
    var setOptions = LiveFrameSets.Options()
    setOptions.isDepthDue = { schedule.isDepthDue(onVideoFrame: $0) }
    setOptions.usesDepth = needsDepth
    setOptions.heldCount = MattePipeline.heldFrameSetCount(parameters)
    setOptions.largestRate = options.largestRate
    // Without a clock, the duration is measured in frame timestamps.
    if !cameras.isLive { setOptions.endNanoseconds = options.durationNanoseconds }
    sets = LiveFrameSets(cameras.streams, isLive: cameras.isLive, faces: faces, options: setOptions)

    let header = DigestHeader(
      recordingID: recorder == nil ? "live" : "recorded live", preset: preset, parameters: parameters,
      schedule: schedule, frameCount: nil, background: background?.identity, plate: scene?.identity,
      masks: segmenter?.identity)
    let isThinned = options.largestRate.map { $0.framesPerSecond < color.rate.framesPerSecond } ?? false
    let plan = OutputPlan(
      sizes: pipeline.sizes, rate: isThinned ? options.largestRate ?? color.rate : color.rate, header: header,
      patience: patience, maskDigest: { segmenter?.maskDigest })
    do throws(RetakeError) {
      outputs = try makeOutputs(plan)
    } catch {
      _ = recorder?.finish()
      recorder?.removeAll()
      throw error
    }
    loop = LiveLoop(
      sets, pipeline, outputs: outputs, hasClock: cameras.isLive, survivesOutputs: recorder != nil,
      onFailure: reports.failure)
  }

  /// The first colour stream, and the first depth stream where depth is needed.
  private static func shownStreams(
    _ cameras: DeviceSet, _ preset: String, needsDepth: Bool
  ) throws(RetakeError) -> (color: StreamDescription, depth: StreamDescription?) {
    let depth = needsDepth ? cameras.streams.first { $0.kind == .depth } : nil
    let color = cameras.streams.first { $0.kind == .color }
    if let color, depth != nil || !needsDepth { return (color, depth) }
    let missing = color == nil ? "colour" : "depth"
    let hint = "'retake devices' shows a camera's streams; \(missing) may come from a second --device"
    let names = cameras.names.joined(separator: " and ")
    throw RetakeError(
      .unsupported, "\(names) delivers no \(missing), which \(preset) needs.",
      hint: color == nil ? hint : "\(hint); \(PipelineNeeds.withoutDepthHint)")
  }

  /// The recorder, if requested, and the source of faces for displayed frames.
  private static func recorder(
    _ cameras: DeviceSet, _ options: Options, _ note: (String) -> Void
  ) throws(RetakeError) -> (Recorder?, LiveFaces) {
    let choice = try FaceChoice(options.faces, cameras)
    if !choice.sentence.isEmpty { note(choice.sentence) }
    guard let folder = options.recording else { return (nil, .own(choice.recording)) }
    var recorderOptions = RecorderOptions()
    if !cameras.isLive {
      recorderOptions.makeReproducible(cameras.streams, wallClockNanoseconds: cameras.wallClockNanoseconds)
      recorderOptions.durationNanoseconds = options.durationNanoseconds
    }
    var (recorded, shown) = (choice.recording, LiveFaces.own(choice.recording))
    if case .detector(let observer, let stream, let depthStream) = choice.recording {
      if cameras.isLive {
        let relay = FaceRelay(observer)
        recorded = .detector(relay, stream: stream, depthStream: depthStream)
        shown = .shared(relay)
      } else {
        shown = .own(try FaceChoice(options.faces, cameras).recording)
      }
    }
    return (try Recorder(folder: folder, streams: cameras.streams, options: recorderOptions, faces: recorded), shown)
  }

  /// Runs until `stop` is set, the duration is over, the cameras end, or a failure occurs.
  /// - Parameter progress: called after every frame set, and regularly while none arrives.
  /// - Throws: the error of a camera that does not start; a begun recording is then removed.
  package func run(progress: () -> Void) throws(RetakeError) -> Result {
    let ends = DeviceEnds(
      cameras, endsAtFailure: options.endsAtFailure, stop: stop, onFailure: reports.cameraFailure)
    let start = MonotonicTime.now()
    let deadline = options.durationNanoseconds.map { MonotonicTime(nanoseconds: start.nanoseconds + $0) }
    do throws(RetakeError) {
      try cameras.start { device, firstStream in
        let shown = sets.sink(firstStream: firstStream) { ends.note($0) }
        guard let recorder else { return shown }
        return CaptureTee(recorder.sink(firstStream: firstStream, isLive: device.isLive) { _ in }, shown)
      }
    } catch {
      sets.close()
      _ = recorder?.finish()
      recorder?.removeAll()
      throw error
    }
    let end = LiveEnd(
      cameras, sets, recorder, stop: stop, ends: ends, patience: patience, deadline: cameras.isLive ? deadline : nil)
    end.watch()
    var failure: RetakeError?
    do throws(RetakeError) {
      while try loop.step() { progress() }
    } catch {
      failure = error
      sets.close()
      stop.set()
    }
    // The recording is completed before waiting for outputs.
    let recorded = end.wait()
    do throws(RetakeError) { try loop.finish() } catch { failure = failure ?? error }
    return Result(
      seconds: Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9,
      failure: failure ?? recorded?.failure ?? ends.failure, recorded: recorded)
  }
}
