import MattePipeline
import Parameters
import RecordingStore
import Support

/// One stage of one frame of a replay, reproduced from the header of its digests.
package struct ReproducedStage {
  /// Nil when the stage produced nothing.
  package let plane: StagePlane?
  package let digest: String

  package struct Sources {
    /// Candidates for the background; its identity selects one.
    package var backgrounds: [String]
    /// A network; nil for the masks kept beside the recording.
    package var model: String?
    /// Candidates for the file of an empty scene; its identity selects one.
    package var plates: [String]
    package var threadCount: Int

    package init(
      backgrounds: [String] = [], model: String? = nil, plates: [String] = [],
      threadCount: Int = ProcessorCount.usable
    ) {
      (self.backgrounds, self.model, self.plates) = (backgrounds, model, plates)
      self.threadCount = threadCount
    }
  }

  /// Replays up to the frame.
  /// - Parameter pass: the pass of the frame, from 0.
  /// - Returns: nil when the replay has no such frame.
  /// - Throws: `.notFound` for a missing background, plate or network; errors of the session.
  package static func make(
    _ header: DigestHeader, of recording: Recording, frame: Int, pass: Int, stage: DigestStage, _ sources: Sources,
    note: @escaping (String) -> Void = { _ in }, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> ReproducedStage? {
    var request = try ReplayRequest(header)
    request.order.passCount = pass + 1
    let wanted = stage.pipelineStages
    let background = stage == .composite ? try self.background(header, sources) : nil
    try request.parameters.set(PipelineParameters.mask.plate.declaration.name, to: plate(header, sources))
    if header.masks != DigestStage.none {
      // Without a model, kept masks are found by their key.
      try request.parameters.set(PipelineParameters.mask.model.declaration.name, to: sources.model ?? header.masks)
    }
    let session = try ReplaySession(
      recording, request, wanted: wanted, background: background, threadCount: sources.threadCount, note: note)
    if session.segmenter != nil, session.header.network != header.network {
      session.segmenter?.finish()
      throw RetakeError(
        .notFound, "The network \(session.segmenter?.model ?? "") is not the one that the digests were made with.",
        hint: "give its file with --model; the digests' header has network \(header.network)")
    }
    let probe = StageProbe(frame: frame, pass: pass, stage: stage, isReversed: header.order.isReversed)
    let steps = header.order.isReversed ? session.frames.upperBound - 1 - frame : frame - session.frames.lowerBound
    // No frame after the wanted one is played.
    let total = session.frameCount * pass + min(steps / header.order.every + 1, session.frameCount)
    _ = try session.run(RenderOutputs([("probe", probe)])) { done in progress(done, total) && probe.found == nil }
    return probe.found
  }

  private static func background(
    _ header: DigestHeader, _ sources: Sources
  ) throws(RetakeError) -> BackgroundFile? {
    guard header.background != DigestStage.none else { return nil }
    for path in sources.backgrounds {
      let file = try BackgroundFile(path: path)
      if file.identity == header.background { return file }
    }
    throw missing("background", header.background, among: sources.backgrounds)
  }

  /// - Returns: the path; empty for none.
  private static func plate(_ header: DigestHeader, _ sources: Sources) throws(RetakeError) -> String {
    guard let identity = header.plate else { return "" }
    for path in sources.plates where try EmptyScene(path: path).identity == identity { return path }
    throw missing("plate", identity, among: sources.plates)
  }

  private static func missing(_ word: String, _ identity: String, among paths: [String]) -> RetakeError {
    RetakeError(
      .notFound,
      "The digests were made with a \(word), \(identity), "
        + (paths.isEmpty ? "but none is given." : "which does not match any of \(paths.joined(separator: ", "))."),
      hint: "give its file with --\(word)")
  }
}

extension DigestStage {
  var pipelineStages: PipelineStages {
    switch self {
    case .sourceColor: .original
    case .sourceDepth, .depth: [.original, .depth]
    case .mask: [.original, .depth, .mask]
    case .matte: [.original, .depth, .mask, .matte]
    case .composite: .all
    }
  }
}

private final class StageProbe: RenderSink {
  private(set) var found: ReproducedStage?
  private let frame: Int
  private let pass: Int
  private let stage: DigestStage
  private var places: PlayPlaces

  init(frame: Int, pass: Int, stage: DigestStage, isReversed: Bool) {
    self.frame = frame
    self.pass = pass
    self.stage = stage
    places = PlayPlaces(isReversed: isReversed)
  }

  func take(_ output: PipelineOutput) {
    let place = places.place(of: output.index)
    guard found == nil, output.index == frame, place.pass == pass else { return }
    var digests = FrameDigests()
    found = ReproducedStage(plane: StagePlane(stage, of: output), digest: digests.of(output)[stage.position])
  }

  func finish() {}
}
