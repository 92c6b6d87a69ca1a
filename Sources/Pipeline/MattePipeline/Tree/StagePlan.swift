import Parameters
import Support

/// The stages of a pipeline: those needed for the wanted pictures.
struct StagePlan {
  let makesDepth: Bool
  let depthExtras: DepthExtras
  let makesMask: Bool
  let makesMatte: Bool
  let makesComposite: Bool

  init(_ parameters: ParameterSet, wanted: PipelineStages, hasDepth: Bool) throws(RetakeError) {
    let needs = PipelineNeeds(parameters)
    makesComposite = wanted.contains(.composite)
    makesMatte = needs.needsMask && (makesComposite || wanted.contains(.matte))
    makesMask = makesMatte || needs.needsMask && wanted.contains(.mask)
    makesDepth = needs.needsDepth && (wanted.contains(.depth) || makesComposite || makesMask && needs.maskNeedsDepth)
    depthExtras = needs.depthExtras
    guard !makesDepth || hasDepth else {
      throw RetakeError(
        .unsupported, "There is no depth, which \(PipelineNeeds.depthParameter(parameters) ?? "the parameters") needs.",
        hint: PipelineNeeds.withoutDepthHint)
    }
  }
}
