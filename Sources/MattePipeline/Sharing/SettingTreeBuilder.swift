import FrameModel
import Parameters

/// Finds what settings have in common.
struct SettingTreeBuilder {
  /// Stages in the order in which they were made, each found again by what it was made by.
  struct Nodes<Node> {
    private(set) var values: [Node] = []
    private var places: [String: Int] = [:]

    mutating func place(_ key: String, _ make: () throws(RetakeError) -> Node) throws(RetakeError) -> Int {
      if let place = places[key] { return place }
      values.append(try make())
      places[key] = values.count - 1
      return values.count - 1
    }
  }

  private let maker: StageMaker
  private(set) var depths = Nodes<SharedDepth>()
  private(set) var masks = Nodes<SharedMask>()
  private(set) var mattes = Nodes<SharedMatte>()
  private(set) var composites = Nodes<SharedComposite>()
  /// Of each setting, the place of its composite.
  private(set) var places: [Int] = []

  init(_ maker: StageMaker) { self.maker = maker }

  /// - Throws: `.unsupported` where it cannot be made.
  mutating func add(_ setting: ParameterSet) throws(RetakeError) {
    let plan = try maker.plan(setting)
    let (maker, format) = (maker, maker.format)
    // A stage that there is not is the same for all that lack it.
    let depthKey = plan.makesDepth ? "\(plan.depthExtras.rawValue) " + setting.text(ofGroup: "depth") : ""
    let depth = try depths.place(depthKey) { () throws(RetakeError) in
      SharedDepth(plan.makesDepth ? format.depth.map { maker.depthStage($0, setting, plan) } : nil)
    }
    let sharedDepth = depths.values[depth]
    let mask = try masks.place("\(depth) " + (plan.makesMask ? setting.text(ofGroup: "mask") : "")) {
      () throws(RetakeError) in
      SharedMask(plan.makesMask ? try maker.maskStage(setting, plan) : nil, of: sharedDepth)
    }
    let sharedMask = masks.values[mask]
    let matte = try mattes.place("\(mask) " + (plan.makesMatte ? setting.text(ofGroup: "matte") : "")) {
      () throws(RetakeError) in
      SharedMatte(plan.makesMatte ? sharedMask.stage.map { maker.matteStage($0.output, setting) } : nil, of: sharedMask)
    }
    let sharedMatte = mattes.values[matte]
    let composite = try composites.place(
      "\(matte) " + (plan.makesComposite ? setting.text(ofGroup: "composite") : "")
    ) { () throws(RetakeError) in
      let stage = plan.makesComposite ? maker.compositeStage(maker.mixedDepthGeometry(setting, plan), setting) : nil
      return SharedComposite(stage, of: sharedMatte, format.color)
    }
    places.append(composite)
  }
}

extension ParameterSet {
  /// The parameters of a group and their values.
  fileprivate func text(ofGroup group: String) -> String {
    entries.filter { $0.name.hasPrefix(group + ".") }.map { "\($0.name)=\($0.value)\n" }.joined()
  }
}
