import Kernels
import MattePipeline
import RecordingStore
import Support

/// The pipeline of a replay, with what it is made from.
package struct PipelineSetup {
  package let pipeline: MattePipeline
  /// Nil where the parameters need no network. Call `finish` at the end, which saves new masks.
  package let segmenter: KeptSegmenter?
  package let alignment: DepthShift
  /// The scene that `mask.plate` names.
  package let scene: EmptyScene?

  /// - Parameters:
  ///   - color, depth: streams, as `ReplaySession.streams` returns them.
  ///   - threadCount: affects speed only.
  ///   - note: called with messages for the user, one sentence each.
  /// - Throws: `.unsupported` for streams that lack what the parameters need; errors of network and plate files.
  package init(
    _ recording: Recording, _ request: ReplayRequest, color: Int, depth: Int?, wanted: PipelineStages = .all,
    background: BackgroundFile?, threadCount: Int, note: @escaping (String) -> Void
  ) throws(RetakeError) {
    let parameters = request.parameters
    alignment = depth == nil ? .none : try recording.depthShift()
    let format = try PipelineFormat(
      color: recording.streams[color], depth: depth.map { recording.streams[$0] }, parameters, alignment: alignment)
    scene = try EmptyScene.named(in: parameters)
    segmenter = try request.changes.segmenting(parameters, wanted).flatMap { parameters throws(RetakeError) in
      try Segmenters.make(parameters, recording: recording, note: note)
    }
    do throws(RetakeError) {
      pipeline = try MattePipeline(
        format, parameters: parameters,
        sources: PipelineSources(background: background?.source, segmenter: segmenter, scene: scene), wanted: wanted,
        threadCount: threadCount)
      try request.changes.apply(to: pipeline)
    } catch {
      segmenter?.finish()
      throw error
    }
  }
}
