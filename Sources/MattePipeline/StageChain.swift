import FrameModel
import Kernels
import Parameters

/// The stages that a frame goes through, as the parameters in force have them.
struct StageChain {
  var depth: DepthStage?
  var depthExtras: DepthExtras = []
  var mask: MaskStage?
  var matte: MatteStage?
  var composite: CompositeStage?
  /// Stages that what holds has to pass through, because they are not the ones that it went through.
  var renewed: PipelineStages = []
}

/// Makes stages for parameters, and for other parameters later.
struct StageMaker {
  let format: PipelineFormat
  let wanted: PipelineStages
  let background: HeldBackground?
  let segmenter: (any PersonSegmenter)?
  let threadCount: Int
  let processor: Processor

  /// - Throws: `.unsupported` where depth is needed and there is none.
  func plan(_ parameters: ParameterSet) throws(RetakeError) -> StagePlan {
    try StagePlan(parameters, wanted: wanted, hasDepth: format.depth != nil)
  }

  /// - Parameters:
  ///   - old: stages whose parameters stay as they are go on; the others hand over what they remember.
  ///   - changed: the groups of parameters, "depth" to "composite", that differ from those of `old`.
  /// - Throws: `.unsupported` for what the streams and sources do not allow.
  func chain(_ parameters: ParameterSet, from old: StageChain = StageChain(), changed: Set<String> = [])
    throws(RetakeError) -> StageChain
  {
    let plan = try plan(parameters)
    var chain = StageChain(depthExtras: plan.depthExtras)
    if plan.makesDepth {
      let holds = !changed.contains("depth") && old.depthExtras == plan.depthExtras
      chain.depth = holds ? old.depth : nil
      if chain.depth == nil {
        chain.depth = depthStage(parameters, plan)
        if let before = old.depth { chain.depth?.carryOn(from: before) }
        chain.renewed.insert(.depth)
      }
    }
    if plan.makesMask {
      let holds = !changed.contains("mask") && chain.depth?.output.geometry == old.depth?.output.geometry
      chain.mask = holds ? old.mask : nil
      if chain.mask == nil {
        chain.mask = try maskStage(parameters, depth: chain.depth?.output.geometry)
        if let before = old.mask { chain.mask?.carryOn(from: before) }
        chain.renewed.insert(.mask)
      }
    }
    if plan.makesMatte, let mask = chain.mask?.output {
      let before = old.mask?.output
      let isAlike = mask.geometry == before?.geometry && (mask.soft == nil) == (before?.soft == nil)
      chain.matte = !changed.contains("matte") && isAlike ? old.matte : nil
      if chain.matte == nil {
        chain.matte = MatteStage(mask, parameters, threadCount: threadCount, processor: processor)
        if let before = old.matte { chain.matte?.carryOn(from: before) }
        chain.renewed.insert(.matte)
      }
    }
    if plan.makesComposite {
      chain.composite = changed.contains("composite") ? nil : old.composite
      if chain.composite == nil {
        chain.composite = CompositeStage(
          format, parameters, depth: chain.depth?.output.geometry, background: background, threadCount: threadCount,
          processor: processor)
        if let before = old.composite { chain.composite?.carryOn(from: before) }
        background?.giveAgain()
      }
    }
    return chain
  }

  /// Nil where the plan has none.
  func depthStage(_ parameters: ParameterSet, _ plan: StagePlan) -> DepthStage? {
    guard plan.makesDepth, let depth = format.depth else { return nil }
    return DepthStage(
      depth, video: format.color, parameters, extras: plan.depthExtras, threadCount: threadCount,
      processor: processor)
  }

  /// - Parameter depth: how prepared depth lies over the video; nil where none is made.
  func maskStage(_ parameters: ParameterSet, depth: PlaneGeometry?) throws(RetakeError) -> MaskStage {
    try MaskStage(
      format, parameters, depth: depth, segmenter: segmenter, threadCount: threadCount, processor: processor)
  }
}
