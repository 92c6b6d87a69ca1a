import FrameModel
import Kernels
import Parameters
import Support

/// What a pipeline takes from outside, beside frames.
package struct PipelineSources {
  /// Nil: as `composite.without-background` says.
  package var background: (any BackgroundSource)?
  /// For masks by a network.
  package var segmenter: (any PersonSegmenter)?

  package init(background: (any BackgroundSource)? = nil, segmenter: (any PersonSegmenter)? = nil) {
    self.background = background
    self.segmenter = segmenter
  }

  package init(background picture: RGBImage?) { self.init(background: picture.map(StillBackground.init)) }
}

/// Frame sets to composites: depth preparation → mask → matte → composite.
///
/// It knows no clock, file or thread count; what lasts from frame to frame is in its stages. It is prepared when it is made,
/// and allocates nothing for a frame afterwards (E.27).
package final class MattePipeline {
  /// How many composites a caller may hold at once.
  package static let heldOutputsRange = 1...16

  package private(set) var format: PipelineFormat
  /// Since it was prepared.
  package private(set) var counts = PipelineCounts()
  /// JPEG frames of colour that the decoder warned of, and made a picture of all the same; since the beginning.
  package var flawedColorCount: Int { earlierFlawedColorCount + (tree?.flawedColorCount ?? 0) }
  private var earlierFlawedColorCount = 0
  private let parameters: ParameterSet
  private let background: (any BackgroundSource)?
  private let segmenter: (any PersonSegmenter)?
  private let wanted: PipelineStages
  private let threadCount: Int
  private let processor: Processor
  /// Nil after a reset.
  private var tree: StageTree?

  /// Allocates everything that frames need.
  /// - Parameters:
  ///   - wanted: what leads to none of these is not made.
  ///   - heldOutputs: how many composites the caller may hold while the next one is made.
  ///   - threadCount, processor: change how long a frame takes and nothing else.
  /// - Throws: `.unsupported` for streams that lack what the parameters need; `.usage` for a number of outputs outside of
  ///   `heldOutputsRange`.
  package init(
    _ format: PipelineFormat, parameters: ParameterSet, sources: PipelineSources = PipelineSources(),
    wanted: PipelineStages = .all, heldOutputs: Int = 3, threadCount: Int, processor: Processor = .best
  ) throws(RetakeError) {
    self.format = format
    self.parameters = parameters
    background = sources.background
    segmenter = sources.segmenter
    self.wanted = wanted
    self.threadCount = threadCount
    self.processor = processor
    try prepare(format, heldOutputs: heldOutputs)
  }

  /// Begins anew with frames of this format: as `reset`, then everything that frames need is allocated.
  /// - Throws: as `init`; it is then reset.
  package func prepare(_ format: PipelineFormat, heldOutputs: Int = 3) throws(RetakeError) {
    reset()
    guard Self.heldOutputsRange.contains(heldOutputs) else {
      throw RetakeError(
        .usage, "A pipeline cannot be prepared for \(heldOutputs) held outputs.",
        hint: "the number must be \(Self.heldOutputsRange.lowerBound) to \(Self.heldOutputsRange.upperBound)")
    }
    let maker = StageMaker(
      format: format, wanted: wanted, background: background, segmenter: segmenter, threadCount: threadCount,
      processor: processor)
    let tree = try StageTree(
      maker, [parameters], heldOutputs: heldOutputs, threads: BandRunner(threadCount: 1),
      bands: BandRunner(threadCount: threadCount))
    if let failure = tree.failure(ofSetting: 0) { throw failure }
    (self.tree, self.format) = (tree, format)
  }

  /// Lets go of all memory and threads, and forgets what lasts from frame to frame: depth and masks that hold, the cut-off,
  /// running ranges, frames that look-ahead holds, counts, and changes of parameters, done or to come. Outputs that a caller
  /// holds stay whole. Before more frames come it has to be prepared.
  package func reset() {
    earlierFlawedColorCount = flawedColorCount
    tree = nil
    counts = PipelineCounts()
  }

  /// Other parameters from the frame set of this index on, as by a slider: what holds passes through the stages whose
  /// parameters changed again. Stages whose parameters did not change go on undisturbed.
  ///
  /// Behind look-ahead, a frame set counts when its turn comes, not when it is given. Of several changes each counts from its
  /// index on; the one given last, of those of one index.
  /// - Parameters:
  ///   - parameters: all of them, of the same declarations as those that the pipeline was made with.
  ///   - index: one that has passed means the next frame set.
  /// - Throws: `.usage` naming parameters that cannot change while frames run: `depth.registration`, `depth.decimation`, `depth.width`,
  ///   `depth.look-ahead`, `mask.model`, `mask.quality`, `composite.background`, those that are not the pipeline's; and kinds of mask of
  ///   another size where masks are wanted. `.unsupported` for what the streams and sources do not allow.
  package func change(to parameters: ParameterSet, at index: Int) throws(RetakeError) {
    try prepared().change(to: parameters, at: index)
  }

  /// Frame sets whose frames a pipeline of these parameters holds on to at once: who gives them needs so many buffers more.
  package static func heldFrameSetCount(_ parameters: ParameterSet) -> Int {
    // Those that wait, depth that came with an earlier one, and the depth in force. Of colour those that wait, and the one shown.
    parameters[PipelineParameters.lookAhead] + 2
  }

  /// Sizes of the planes in force. Depth and mask are nil after a reset.
  package var sizes: PipelineSizes {
    let composite = tree?.composites[0]
    return PipelineSizes(
      video: PlaneSize(width: format.color.width, height: format.color.height),
      depth: composite?.depth.stage?.output.geometry.size, mask: composite?.mask.stage?.output.geometry.size)
  }

  /// - Returns: what became of it, or with look-ahead of the frame set that came so many before.
  /// - Throws: `.corrupt` for frames that are not whole; the pipeline is then as if they had not come (behind look-ahead, a
  ///   JPEG is decoded when its turn comes, and then only its picture is missing). What the background or the network
  ///   throws: that frame is dropped. `.usage` after a reset.
  package func process(_ frames: FrameSet) throws(RetakeError) -> PipelineResult {
    try counted { tree throws(RetakeError) in try tree.process(frames) { _, _ in } }
  }

  /// After the last frame set: returns what look-ahead still holds, one output at each call; `.waiting` when nothing is left.
  package func drain() throws(RetakeError) -> PipelineResult {
    try counted { tree throws(RetakeError) in try tree.drain { _, _ in } }
  }

  private func prepared() throws(RetakeError) -> StageTree {
    if let tree { return tree }
    throw RetakeError(.usage, "The pipeline was reset.", hint: "prepare the pipeline before processing frames")
  }

  /// - Parameter advance: false where look-ahead waits, or nothing is left.
  private func counted(_ advance: (StageTree) throws(RetakeError) -> Bool) throws(RetakeError) -> PipelineResult {
    let tree = try prepared()
    let composite = tree.composites[0]
    // A frame that fails is dropped on its own: the next one is tried.
    composite.forgetFailures()
    do throws(RetakeError) {
      guard try advance(tree) else { return .waiting }
      guard let result = composite.takeResult() else { throw composite.failure! }
      switch result {
      case .output: counts.outputs += 1
      case .skipped(.withoutMask): counts.withoutMask += 1
      case .skipped(.allHeld): counts.allHeld += 1
      case .waiting: break
      }
      return result
    } catch {
      counts.failed += 1
      throw error
    }
  }
}
