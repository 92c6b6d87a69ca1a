import Kernels
import Parameters
import Support

struct StageMaker {
  let format: PipelineFormat
  let wanted: PipelineStages
  let background: (any BackgroundSource)?
  let segmenter: (any PersonSegmenter)?
  let scene: EmptyScene?
  /// Of the stages of mattes.
  let scratch: MatteScratch
  let threadCount: Int
  let processor: Processor
  var clock = StageClock(isOn: true)
  /// Nil where every mask is blurred.
  var blurs: BlurMemory?

  /// - Throws: `.unsupported` where depth is needed and there is none.
  func plan(_ parameters: ParameterSet) throws(RetakeError) -> StagePlan {
    try StagePlan(parameters, wanted: wanted, hasDepth: format.depth != nil)
  }

  /// The geometry of prepared depth over the video; nil if the plan has none.
  func depthGeometry(_ parameters: ParameterSet, _ plan: StagePlan) -> PlaneGeometry? {
    guard plan.makesDepth, let depth = format.depth else { return nil }
    return DepthStage.geometry(depth, video: format.color, parameters)
  }

  /// The geometry of depth that is mixed over the picture: only the mix depends on a depth map's
  /// size.
  func mixedDepthGeometry(_ parameters: ParameterSet, _ plan: StagePlan) -> PlaneGeometry? {
    parameters[PipelineParameters.composite.mix] > 0 ? depthGeometry(parameters, plan) : nil
  }

  func depthStage(_ depth: DepthFormat, _ parameters: ParameterSet, _ plan: StagePlan) -> DepthStage {
    DepthStage(
      depth, video: format.color, parameters, extras: plan.depthExtras, threadCount: threadCount, processor: processor)
  }

  /// - Parameter meter: replaces the network if several masks share it.
  /// - Throws: `.unsupported` for masks that the streams and sources do not allow.
  func maskStage(
    _ parameters: ParameterSet, _ plan: StagePlan, meter: MeteredSegmenter? = nil
  ) throws(RetakeError) -> MaskStage {
    try MaskStage(
      format, parameters, depth: depthGeometry(parameters, plan), segmenter: meter ?? segmenter, scene: scene,
      threadCount: threadCount, processor: processor)
  }

  func maskBlurring(_ mask: Mask, _ parameters: ParameterSet) -> MaskBlurring {
    MaskBlurring(mask.geometry, parameters, threadCount: threadCount, processor: processor)
  }

  func matteStage(_ mask: Mask, _ parameters: ParameterSet, isGivenBlur: Bool) -> MatteStage {
    MatteStage(
      mask, parameters, isGivenBlur: isGivenBlur, scratch: scratch, threadCount: threadCount, processor: processor)
  }

  func compositeStage(_ depth: PlaneGeometry?, _ parameters: ParameterSet) -> CompositeStage {
    CompositeStage(
      format, parameters, depth: depth, background: background, threadCount: threadCount, processor: processor)
  }
}
