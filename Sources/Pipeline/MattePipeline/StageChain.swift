import FrameModel
import Kernels
import Parameters
import Support

/// The stages that a frame goes through, as the parameters in force have them, and the last ones that there were.
///
/// A stage that is not needed for a moment is kept. When it is needed again it goes on, or, should its parameters be others
/// by then, hands over what it remembers: a learned plate, a face's distance, what smoothing over time goes by.
struct StageChain {
  /// Which of the stages are in force.
  var plan: StagePlan?
  var lastDepth: KeptStage<DepthStage, DepthExtras>?
  var lastMask: KeptStage<MaskStage, PlaneGeometry?>?
  var lastMatte: KeptStage<MatteStage, Mask.Shape>?
  var lastComposite: KeptStage<CompositeStage, PlaneGeometry?>?
  /// Stages that what holds has to pass through, because they are not the ones that it went through.
  var renewed: PipelineStages = []

  var depth: DepthStage? { plan?.makesDepth == true ? lastDepth?.stage : nil }
  var mask: MaskStage? { plan?.makesMask == true ? lastMask?.stage : nil }
  var matte: MatteStage? { plan?.makesMatte == true ? lastMatte?.stage : nil }
  var composite: CompositeStage? { plan?.makesComposite == true ? lastComposite?.stage : nil }
}

/// A stage, and all that it was made by.
struct KeptStage<Stage, Input: Equatable> {
  let stage: Stage
  let parameters: ParameterSet
  /// What it was made for beside parameters: what the stage before it gives, or the one after it takes.
  let input: Input

  /// Whether one that is made now would be the same.
  func holds(_ group: String, _ parameters: ParameterSet, _ input: Input) -> Bool {
    self.input == input && !parameters.groupsThatDiffer(from: self.parameters).contains(group)
  }
}

/// Makes stages for parameters, and for other parameters later.
struct StageMaker {
  let format: PipelineFormat
  let wanted: PipelineStages
  let background: (any BackgroundSource)?
  let segmenter: (any PersonSegmenter)?
  let threadCount: Int
  let processor: Processor

  /// - Throws: `.unsupported` where depth is needed and there is none.
  func plan(_ parameters: ParameterSet) throws(RetakeError) -> StagePlan {
    try StagePlan(parameters, wanted: wanted, hasDepth: format.depth != nil)
  }

  /// - Parameter old: stages whose parameters stay as they are go on; the others hand over what they remember.
  /// - Throws: `.unsupported` for what the streams and sources do not allow; nothing has become of `old` then.
  func chain(_ parameters: ParameterSet, from old: StageChain = StageChain()) throws(RetakeError) -> StageChain {
    let plan = try plan(parameters)
    var chain = old
    (chain.plan, chain.renewed) = (plan, [])
    try updateMask(&chain, parameters, plan)
    updateDepth(&chain, parameters, plan)
    updateMatte(&chain, parameters, plan)
    updateComposite(&chain, parameters, plan)
    return chain
  }

  private func updateDepth(_ chain: inout StageChain, _ parameters: ParameterSet, _ plan: StagePlan) {
    let old = chain.lastDepth
    guard plan.makesDepth, let depth = format.depth, old?.holds("depth", parameters, plan.depthExtras) != true else {
      return
    }
    let stage = depthStage(depth, parameters, plan)
    if let old { stage.carryOn(from: old.stage) }
    chain.lastDepth = KeptStage(stage: stage, parameters: parameters, input: plan.depthExtras)
    chain.renewed.insert(.depth)
  }

  /// The only stage that may not be possible, and so the first.
  private func updateMask(
    _ chain: inout StageChain, _ parameters: ParameterSet, _ plan: StagePlan
  ) throws(RetakeError) {
    let old = chain.lastMask
    let depth = depthGeometry(parameters, plan)
    guard plan.makesMask, old?.holds("mask", parameters, depth) != true else { return }
    let stage = try maskStage(parameters, plan)
    if let old { stage.carryOn(from: old.stage) }
    chain.lastMask = KeptStage(stage: stage, parameters: parameters, input: depth)
    chain.renewed.insert(.mask)
  }

  private func updateMatte(_ chain: inout StageChain, _ parameters: ParameterSet, _ plan: StagePlan) {
    let old = chain.lastMatte
    guard plan.makesMatte, let mask = chain.mask?.output, old?.holds("matte", parameters, mask.shape) != true else {
      return
    }
    let stage = matteStage(mask, parameters)
    if let old { stage.carryOn(from: old.stage) }
    chain.lastMatte = KeptStage(stage: stage, parameters: parameters, input: mask.shape)
    chain.renewed.insert(.matte)
  }

  private func updateComposite(_ chain: inout StageChain, _ parameters: ParameterSet, _ plan: StagePlan) {
    let old = chain.lastComposite
    let depth = mixedDepthGeometry(parameters, plan)
    guard plan.makesComposite, old?.holds("composite", parameters, depth) != true else { return }
    let stage = compositeStage(depth, parameters)
    if let old { stage.carryOn(from: old.stage) }
    chain.lastComposite = KeptStage(stage: stage, parameters: parameters, input: depth)
  }

  /// How prepared depth lies over the video; nil where the plan has none.
  func depthGeometry(_ parameters: ParameterSet, _ plan: StagePlan) -> PlaneGeometry? {
    guard plan.makesDepth, let depth = format.depth else { return nil }
    return DepthStage.geometry(depth, video: format.color, parameters)
  }

  /// That of what is mixed over the picture: only this is made for a depth map's size.
  func mixedDepthGeometry(_ parameters: ParameterSet, _ plan: StagePlan) -> PlaneGeometry? {
    parameters[PipelineParameters.mix] > 0 ? depthGeometry(parameters, plan) : nil
  }

  func depthStage(_ depth: DepthFormat, _ parameters: ParameterSet, _ plan: StagePlan) -> DepthStage {
    DepthStage(
      depth, video: format.color, parameters, extras: plan.depthExtras, threadCount: threadCount, processor: processor)
  }

  func maskBlurring(_ mask: Mask, _ parameters: ParameterSet) -> MaskBlurring {
    MaskBlurring(mask.geometry, parameters, threadCount: threadCount, processor: processor)
  }

  func matteStage(_ mask: Mask, _ parameters: ParameterSet, isGivenBlur: Bool = false) -> MatteStage {
    MatteStage(mask, parameters, isGivenBlur: isGivenBlur, threadCount: threadCount, processor: processor)
  }

  /// - Parameter depth: how what is mixed over the picture lies over it.
  func compositeStage(_ depth: PlaneGeometry?, _ parameters: ParameterSet) -> CompositeStage {
    CompositeStage(
      format, parameters, depth: depth, background: background, threadCount: threadCount, processor: processor)
  }

  /// - Throws: `.unsupported` for masks that what is there does not make.
  func maskStage(_ parameters: ParameterSet, _ plan: StagePlan) throws(RetakeError) -> MaskStage {
    try MaskStage(
      format, parameters, depth: depthGeometry(parameters, plan), segmenter: segmenter, threadCount: threadCount,
      processor: processor)
  }
}
