import FrameModel
import Kernels
import Parameters
import Support

package struct PipelineSources {
  /// Nil: `composite.without-background` decides.
  package var background: (any BackgroundSource)?
  package var segmenter: (any PersonSegmenter)?
  /// Of `mask.plate`; nil: `mask.kind=plate` learns it.
  package var scene: EmptyScene?

  package init(
    background: (any BackgroundSource)? = nil, segmenter: (any PersonSegmenter)? = nil, scene: EmptyScene? = nil
  ) {
    (self.background, self.segmenter, self.scene) = (background, segmenter, scene)
  }

  package init(background picture: RGBImage?) { self.init(background: picture.map(StillBackground.init)) }
}

/// Turns frame sets into composites: depth preparation → mask → matte → composite.
///
/// The output depends on no clock, file or thread count. State between frames is kept in the
/// stages. All memory is allocated by `init` or `prepare`, none per frame (E.27).
package final class MattePipeline {
  /// Number of composites that a caller may hold at once.
  package static let heldOutputsRange = 1...16

  package private(set) var format: PipelineFormat
  /// Counts since the last `prepare`.
  package private(set) var counts = PipelineCounts()
  /// Number of colour JPEG frames that were decoded with warnings, since `init`.
  package var flawedColorCount: Int { earlierFlawedColorCount + (tree?.flawedColorCount ?? 0) }
  private var earlierFlawedColorCount = 0
  /// Share of the mask's pixels that changed while the empty scene was learned, 0 to 1. Above
  /// `manyChanges`, it was not empty.
  package var changedWhileLearning: Double { tree?.composites[0].mask.stage?.changedWhileLearning ?? 0 }
  package static let manyChanges = 0.02
  /// The empty scene; nil while it is learned, if `mask.plate-color` is off, or if no mask learns one.
  package var learnedScene: LearnedScene? { plate?.learnedScene }
  /// Frames without a face that the empty scene was learned from, or has been so far.
  package var learnedFrameCount: Int { plate?.seenCount ?? 0 }
  /// Whether `takeUnmasked` has an answer. What is not taken holds buffers until the next frame set.
  package var keepsUnmasked = false
  private var unmasked: UnmaskedPictures?
  private var plate: PlateMask? { tree?.composites[0].mask.stage?.plate }
  private let parameters: ParameterSet
  private let sources: PipelineSources
  private let wanted: PipelineStages
  private let threadCount: Int
  private let processor: Processor
  /// Nil after a reset.
  private var tree: StageTree?

  /// Allocates everything that frames need.
  /// - Parameters:
  ///   - wanted: the stages to compute; stages needed for none of them are not made.
  ///   - heldOutputs: number of composites that the caller may hold while the next one is made.
  ///   - threadCount, processor: affect speed only.
  /// - Throws: `.unsupported` for streams that lack what the parameters need; `.usage` for a number
  ///   of outputs outside `heldOutputsRange`.
  package init(
    _ format: PipelineFormat, parameters: ParameterSet, sources: PipelineSources = PipelineSources(),
    wanted: PipelineStages = .all, heldOutputs: Int = 3, threadCount: Int, processor: Processor = .best
  ) throws(RetakeError) {
    self.format = format
    self.parameters = parameters
    self.sources = sources
    self.wanted = wanted
    self.threadCount = threadCount
    self.processor = processor
    try prepare(format, heldOutputs: heldOutputs)
  }

  /// Resets the pipeline, then allocates everything for frames of this format.
  /// - Throws: the errors of `init`; the pipeline is then reset.
  package func prepare(_ format: PipelineFormat, heldOutputs: Int = 3) throws(RetakeError) {
    reset()
    guard Self.heldOutputsRange.contains(heldOutputs) else {
      throw RetakeError(
        .usage, "A pipeline cannot be prepared for \(heldOutputs) held outputs.",
        hint: "the number must be \(Self.heldOutputsRange.lowerBound) to \(Self.heldOutputsRange.upperBound)")
    }
    let maker = StageMaker(
      format: format, wanted: wanted, background: sources.background, segmenter: sources.segmenter,
      scene: sources.scene, scratch: MatteScratch(), threadCount: threadCount, processor: processor)
    let tree = try StageTree(
      maker, [parameters], heldOutputs: heldOutputs, threads: BandRunner(threadCount: 1),
      bands: BandRunner(threadCount: threadCount))
    if let failure = tree.failure(ofSetting: 0) { throw failure }
    (self.tree, self.format) = (tree, format)
  }

  /// Releases all memory and threads and discards the state between frames: held depth and masks,
  /// the cut-off, running ranges, look-ahead frames, counts and parameter changes. Outputs that a
  /// caller holds stay valid. Call `prepare` before processing more frames.
  package func reset() {
    earlierFlawedColorCount = flawedColorCount
    (tree, unmasked) = (nil, nil)
    counts = PipelineCounts()
  }

  /// Changes parameters from the frame set of this index on, for example by a slider. Held depth
  /// and masks pass again through the stages whose parameters changed; other stages continue.
  ///
  /// With look-ahead, a change takes effect when its frame set is output, not when it is given.
  /// Several changes take effect at their indices; of several at one index, the last one counts.
  /// - Parameters:
  ///   - parameters: the complete set, with the declarations that the pipeline was made with.
  ///   - index: an index that has passed means the next frame set.
  /// - Throws: `.usage` naming parameters that cannot change while frames run:
  ///   `depth.registration`, `depth.decimation`, `depth.width`, `depth.look-ahead`, `mask.plate`,
  ///   `mask.model`, `mask.quality`, `composite.background`, and parameters that are not the pipeline's. Also for
  ///   a mask kind with another mask size, if masks are wanted. `.unsupported` for what the streams
  ///   and sources do not allow.
  package func change(to parameters: ParameterSet, at index: Int) throws(RetakeError) {
    try prepared().change(to: parameters, at: index)
  }

  /// Number of frame sets that a pipeline with these parameters holds at once. The frame source
  /// needs that many additional buffers.
  package static func heldFrameSetCount(_ parameters: ParameterSet) -> Int {
    // Colour: the waiting frames and the current one. Depth: also the frame in force and one that
    // arrived with an earlier frame set.
    parameters[PipelineParameters.depth.lookAhead] + 2
  }

  /// Sizes of the current planes. Depth and mask are nil after a reset.
  package var sizes: PipelineSizes {
    let composite = tree?.composites[0]
    return PipelineSizes(
      video: PictureSize(format.color.width, format.color.height),
      depth: composite?.depth.stage?.output.geometry.size, mask: composite?.mask.stage?.output.geometry.size)
  }

  /// Processes a frame set.
  /// - Returns: its result; with look-ahead, that of an earlier frame set.
  /// - Throws: `.corrupt` for incomplete frames; the pipeline's state is then unchanged. With
  ///   look-ahead, a JPEG is decoded when its frame set is output, so only its picture is missing
  ///   then. Errors of the background or the network drop that frame. `.usage` after a reset.
  package func process(_ frames: FrameSet) throws(RetakeError) -> PipelineResult {
    try counted { tree throws(RetakeError) in try tree.process(frames) { _, _ in } }
  }

  /// Returns the outputs that look-ahead still holds, one per call, after the last frame set;
  /// `.waiting` when none is left.
  package func drain() throws(RetakeError) -> PipelineResult {
    try counted { tree throws(RetakeError) in try tree.drain { _, _ in } }
  }

  /// What there is of the last frame set, if it was skipped for want of a mask.
  package func takeUnmasked() -> UnmaskedPictures? {
    defer { unmasked = nil }
    return unmasked
  }

  private func prepared() throws(RetakeError) -> StageTree {
    if let tree { return tree }
    throw RetakeError(.usage, "The pipeline was reset.", hint: "prepare the pipeline before processing frames")
  }

  /// - Parameter advance: returns false if look-ahead waits or nothing is left.
  private func counted(_ advance: (StageTree) throws(RetakeError) -> Bool) throws(RetakeError) -> PipelineResult {
    let tree = try prepared()
    let composite = tree.composites[0]
    composite.forgetFailures()
    unmasked = nil
    do throws(RetakeError) {
      guard try advance(tree) else { return .waiting }
      guard let result = composite.takeResult() else { throw composite.failure! }
      switch result {
      case .output: counts.outputs += 1
      case .skipped(.withoutMask):
        counts.withoutMask += 1
        let pictures = composite.takeUnmasked()
        if keepsUnmasked { unmasked = pictures }
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
