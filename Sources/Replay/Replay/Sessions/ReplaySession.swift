import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Support

/// Everything besides the recording that determines a replay's output.
package struct ReplayRequest: Sendable {
  package var preset: String
  /// At the first frame; values of `ReplaySession.declarations`, or of those with stages of another
  /// program.
  package var parameters: ParameterSet
  package var changes: ParameterTimeline
  package var order: PlayOrder
  /// See `ReplayPlan.firstNumber`.
  package var firstNumber: Int

  package init(
    preset: String, parameters: ParameterSet, changes: ParameterTimeline = .none, order: PlayOrder = .everything,
    firstNumber: Int = 0
  ) {
    self.preset = preset
    self.parameters = parameters
    self.changes = changes
    self.order = order
    self.firstNumber = firstNumber
  }
}

/// A replay of a recording through the pipeline. All commands that replay use this type, so their
/// output is bit-identical.
package final class ReplaySession {
  /// All parameters, in the order in which they act on a frame.
  package static let declarations = ReplayParameters.all + PipelineParameters.all

  /// With stages of another program to choose from.
  /// - Throws: `.usage` for a stage whose name is taken.
  package static func declarations(with stages: [OutsideStage]) throws(RetakeError) -> [ParameterDeclaration] {
    ReplayParameters.all + (try PipelineParameters.all(with: stages))
  }

  package let recording: Recording
  package let request: ReplayRequest
  /// Of its digests.
  package let header: DigestHeader
  package let frames: Range<Int>
  package let rate: FrameRate
  /// Nil where the parameters need no network.
  package let segmenter: KeptSegmenter?
  private let cursor: ReplayCursor
  private let pipeline: MattePipeline

  package var sizes: PipelineSizes { pipeline.sizes }
  /// Number of colour JPEG frames that were decoded with warnings.
  package var flawedColorCount: Int { pipeline.flawedColorCount }
  /// Share of the mask's pixels that changed while the empty scene was learned, 0 to 1; nil if that was
  /// hardly any.
  package var changedWhileLearning: Double? {
    pipeline.changedWhileLearning > MattePipeline.manyChanges ? pipeline.changedWhileLearning : nil
  }
  /// As of `MattePipeline`, after the replay.
  package var learnedScene: LearnedScene? { pipeline.learnedScene }
  package var learnedFrameCount: Int { pipeline.learnedFrameCount }
  /// Number of frame sets in one pass: all of the part or every n-th, including those that a fault
  /// drops.
  package var frameCount: Int { cursor.frameCount }

  /// - Parameters:
  ///   - wanted: the stages to compute; data needed for none of them is not read.
  ///   - background: nil for the file named by `composite.background`.
  ///   - threadCount: affects speed only.
  ///   - advises: whether notes may advise commands on the recording; not on one in a temporary folder.
  ///   - note: called with messages for the user, one sentence each.
  /// - Throws: `.unsupported` for a recording that lacks what the parameters need, or has no frame
  ///   in the range; errors of background, plate and network files.
  package init(
    _ recording: Recording, _ request: ReplayRequest, wanted: PipelineStages = .all, background: BackgroundFile? = nil,
    threadCount: Int = ProcessorCount.usable, advises: Bool = true, note: @escaping (String) -> Void = { _ in }
  ) throws(RetakeError) {
    self.recording = recording
    self.request = request
    let parameters = request.parameters
    var background = background
    if background == nil { background = try BackgroundFile.named(in: parameters) }
    let (color, depth) = try Self.streams(of: recording, request, wanted: wanted)
    if advises {
      let faceAdvice = recording.faceAdvice(parameters)
      let startAdvice = try recording.emptyStartAdvice(parameters, from: request.order.frames.lowerBound)
      for case let advice? in [faceAdvice, startAdvice] { note(advice) }
    }
    let plan = ReplayPlan(parameters, order: request.order, firstNumber: request.firstNumber)
    cursor = try ReplayCursor(
      recording, plan, readsDepth: depth != nil, threadCount: threadCount,
      heldCount: MattePipeline.heldFrameSetCount(parameters))
    let setup = try PipelineSetup(
      recording, request, color: color, depth: depth, wanted: wanted, background: background, threadCount: threadCount,
      note: note)
    (segmenter, pipeline) = (setup.segmenter, setup.pipeline)
    frames = cursor.frames
    rate = recording.streams[color].rate
    let order = request.order.within(try recording.frameSetCount())
    var decoders = background?.decoders ?? []
    if recording.streams[color].layout.format == .jpeg {
      let jpeg = try DecoderIdentity.jpeg()
      if !decoders.contains(jpeg) { decoders.insert(jpeg, at: 0) }
    }
    header = DigestHeader(
      recordingID: recording.identity.id, preset: request.preset, parameters: parameters, changes: request.changes,
      schedule: plan.schedule, order: order, firstNumber: request.firstNumber, frameCount: cursor.frameCount,
      background: background?.identity, plate: setup.scene?.identity, masks: segmenter?.identity, decoders: decoders,
      alignment: setup.alignment, calibration: recording.calibrationKey)
  }

  /// Returns the numbers of the streams that a replay reads: colour, and depth if needed.
  /// - Throws: `.unsupported` naming what the recording lacks, what needs it, and what works
  ///   without.
  package static func streams(
    of recording: Recording, _ request: ReplayRequest, wanted: PipelineStages = .all
  ) throws(RetakeError) -> (color: Int, depth: Int?) {
    let (path, depth) = (recording.folder.path, recording.firstStream(.depth))
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(
        .unsupported, "\(path) has no colour stream, which every preset needs.",
        hint: depth == nil
          ? "'retake info' lists its streams" : "'retake export png' exports its depth as pictures")
    }
    guard wanted != .original, let parameter = request.changes.depthParameter(from: request.parameters) else {
      return (color, nil)
    }
    guard let depth else {
      throw RetakeError(
        .unsupported, "\(path) has no depth stream, which \(request.preset) needs for \(parameter).",
        hint: PipelineNeeds.withoutDepthHint)
    }
    return (color, depth)
  }

  /// Plays the recording; call once. However it ends, outputs are closed and masks are saved.
  /// - Parameters:
  ///   - progress: called after each frame with the number done; false ends the replay early.
  ///   - isDue: called before each frame, and may block; false ends the replay before that frame.
  /// - Throws: the first error.
  package func run(
    _ outputs: RenderOutputs, progress: (Int) -> Bool = { _ in true }, isDue: (FrameSet) -> Bool = { _ in true }
  ) throws(RetakeError) -> RenderLoop.Result {
    defer { segmenter?.finish() }
    let changes = request.changes
    let loop = RenderLoop(cursor, pipeline, outputs: outputs) { pipeline throws(RetakeError) in
      try pipeline.prepare(pipeline.format)
      try changes.apply(to: pipeline)
    }
    return try loop.run(progress: progress, isDue: isDue)
  }
}
