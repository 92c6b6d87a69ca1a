import FrameModel
import Kernels
import Parameters

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
/// It knows no clock, file or thread count; what lasts from frame to frame is in its stages.
package final class MattePipeline {
  package let format: PipelineFormat
  private let bands: BandRunner
  private let needs: PipelineNeeds
  private var lookAhead: LookAhead
  private let color: SourceColor
  private let depth: DepthStage?
  private let mask: MaskStage?
  private let matte: MatteStage?
  private let compositing: CompositeStage
  private let composite: PixelPlane<UInt8>
  private var sourceDepth: Frame?

  /// Allocates everything that frames need.
  /// - Parameter threadCount, processor: change how long a frame takes and nothing else.
  /// - Throws: `.unsupported` for streams that lack what the parameters need.
  package init(
    _ format: PipelineFormat, parameters: ParameterSet, sources: PipelineSources = PipelineSources(),
    threadCount: Int, processor: Processor = .best
  ) throws(RetakeError) {
    self.format = format
    let needs = PipelineNeeds(parameters)
    self.needs = needs
    guard !needs.needsDepth || format.depth != nil else {
      throw RetakeError(
        .unsupported, "There is no depth, which these parameters need.",
        hint: "mask.kind=segmentation and composite.kind=filter do without")
    }
    bands = BandRunner(threadCount: threadCount)
    lookAhead = LookAhead(frameCount: parameters[PipelineParameters.lookAhead])
    color = SourceColor(format)
    depth =
      needs.needsDepth
      ? format.depth.map {
        DepthStage(
          $0, video: format.color, parameters, extras: needs.depthExtras, threadCount: threadCount,
          processor: processor)
      } : nil
    mask =
      needs.needsMask
      ? try MaskStage(
        format, parameters, depth: depth?.output.geometry, segmenter: sources.segmenter, threadCount: threadCount,
        processor: processor) : nil
    matte = mask.map { MatteStage($0.output, parameters, threadCount: threadCount, processor: processor) }
    compositing = CompositeStage(
      format, parameters, background: sources.background, threadCount: threadCount, processor: processor)
    composite = PixelPlane(width: format.color.width, height: format.color.height, channels: 3)
  }

  /// Frame sets whose frames a pipeline of these parameters holds on to at once: who gives them needs so many buffers more.
  package static func heldFrameSetCount(_ parameters: ParameterSet) -> Int {
    // Those that wait, depth that came with an earlier one, and the depth in force.
    parameters[PipelineParameters.lookAhead] + 2
  }

  package var sizes: PipelineSizes {
    func size(_ geometry: PlaneGeometry) -> PlaneSize { PlaneSize(width: geometry.width, height: geometry.height) }
    return PipelineSizes(
      video: PlaneSize(width: format.color.width, height: format.color.height),
      depth: depth.map { size($0.output.geometry) }, mask: mask.map { size($0.output.geometry) })
  }

  /// - Returns: what became of it, or with look-ahead of the frame set that came so many before.
  /// - Throws: `.corrupt` for frames that are not whole.
  package func process(_ frames: FrameSet) throws(RetakeError) -> PipelineResult {
    guard let timed = lookAhead.push(frames) else { return .waiting }
    return try process(timed)
  }

  /// After the last frame set: what look-ahead still holds, one at each call; `.waiting` when nothing is left.
  package func drain() throws(RetakeError) -> PipelineResult {
    guard let timed = lookAhead.drain() else { return .waiting }
    return try process(timed)
  }

  private func process(_ timed: TimedFrames) throws(RetakeError) -> PipelineResult {
    let frames = timed.frames
    let newDepth = depth == nil ? nil : frames.depth
    if let depth, let newDepth {
      try depth.prepare(newDepth, next: timed.nextDepth, bands: bands)
      sourceDepth = newDepth
    }
    let preparedDepth = sourceDepth == nil ? nil : depth?.output
    // Colour comes after depth, so that a frame without either is refused for the same reason wherever it is.
    try color.convert(frames.color, bands: bands)
    let picture = color.output
    var update = MaskUpdate.missing
    if let mask, let matte {
      update = try mask.update(
        MaskInput(
          frames: frames, picture: picture, newDepth: newDepth, depthFaces: timed.depthFaces, depth: preparedDepth),
        bands: bands)
      if case .new = update { matte.refine(mask.output, picture: picture, bands: bands) }
    }
    var hasMask = true
    if case .missing = update { hasMask = false }
    let isComposed = try compositing.compose(
      CompositeInput(
        frames: frames, picture: picture, matte: hasMask ? matte?.output : nil, depth: preparedDepth),
      to: composite, bands: bands)
    guard isComposed else { return .skipped }
    var maskIsNew = false
    if case .new = update { maskIsNew = true }
    return .output(
      PipelineOutput(
        index: frames.index, presentation: frames.color.timestamps.presentation, depthIsNew: newDepth != nil,
        maskIsNew: maskIsNew, sourceColor: frames.color, sourceDepth: sourceDepth,
        cutoffMillimeters: mask?.cutoffMillimeters ?? 0, original: picture,
        depth: preparedDepth?.millimeters, mask: hasMask ? mask?.output.plane : nil,
        matte: hasMask ? matte?.output : nil, composite: composite))
  }
}
