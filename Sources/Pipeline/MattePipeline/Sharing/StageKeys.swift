import FrameModel
import Parameters

/// What a setting's stages are made by, each with those before it: settings with equal keys have a stage in common.
struct StageKeys {
  let depth: String
  let mask: String
  /// Nil where mattes have no blur before them that they could share.
  let blur: String?
  let matte: String
  let composite: String

  /// A stage that there is not is the same for all that lack it.
  init(_ setting: ParameterSet, _ plan: StagePlan) {
    depth = plan.makesDepth ? "\(plan.depthExtras.rawValue) " + setting.text(ofGroup: "depth") : ""
    mask = depth + "mask\n" + (plan.makesMask ? setting.text(ofGroup: "mask") : "")
    blur = plan.makesMatte && !MatteStage.takesSoftMask(setting) ? mask + "blur\n" + setting.blurText : nil
    matte = mask + "matte\n" + (plan.makesMatte ? setting.text(ofGroup: "matte") : "")
    composite = matte + "composite\n" + (plan.makesComposite ? setting.text(ofGroup: "composite") : "")
  }
}

extension SettingTree.StageCounts {
  /// How many stages settings come to that share a tree, without making any. Settings that cannot be made have none.
  package init(_ settings: [ParameterSet], hasDepth: Bool, wanted: PipelineStages) {
    let keys = settings.compactMap { setting in
      (try? StagePlan(setting, wanted: wanted, hasDepth: hasDepth)).map { StageKeys(setting, $0) }
    }
    self.init(
      depth: Set(keys.map(\.depth)).count, mask: Set(keys.map(\.mask)).count,
      blur: Set(keys.compactMap(\.blur)).count, matte: Set(keys.map(\.matte)).count,
      composite: Set(keys.map(\.composite)).count)
  }
}
