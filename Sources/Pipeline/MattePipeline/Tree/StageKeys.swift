import Parameters

/// Keys of a setting's stages, built from the parameters of each stage and of those before it.
/// Settings with equal keys share a stage.
struct StageKeys {
  let depth: String
  let mask: String
  /// Nil if mattes do not share a blur.
  let blur: String?
  let matte: String
  let composite: String

  /// Settings without a stage share an empty key.
  init(_ setting: ParameterSet, _ plan: StagePlan, sharesBlur: Bool) {
    depth = plan.makesDepth ? "\(plan.depthExtras.rawValue) " + setting.text(ofGroup: "depth") : ""
    mask = depth + "mask\n" + (plan.makesMask ? setting.text(ofGroup: "mask") : "")
    let hasBlur = sharesBlur && plan.makesMatte && !MatteStage.takesSoftMask(setting)
    blur = hasBlur ? mask + "blur\n" + setting.blurText : nil
    matte = mask + "matte\n" + (plan.makesMatte ? setting.text(ofGroup: "matte") : "")
    composite = matte + "composite\n" + (plan.makesComposite ? setting.text(ofGroup: "composite") : "")
  }
}
