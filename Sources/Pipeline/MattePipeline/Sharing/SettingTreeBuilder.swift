import FrameModel
import Parameters
import Support

/// Finds what settings have in common.
struct SettingTreeBuilder {
  /// Stages in the order in which they were made, each found again by what it was made by.
  struct Nodes<Node> {
    private(set) var values: [Node] = []
    private var places: [String: Int] = [:]

    mutating func place<Failure>(_ key: String, _ make: () throws(Failure) -> Node) throws(Failure) -> Int {
      if let place = places[key] { return place }
      values.append(try make())
      places[key] = values.count - 1
      return values.count - 1
    }
  }

  private let maker: StageMaker
  private(set) var depths = Nodes<SharedDepth>()
  private(set) var masks = Nodes<SharedMask>()
  private(set) var blurs = Nodes<SharedBlur>()
  private(set) var mattes = Nodes<SharedMatte>()
  private(set) var composites = Nodes<SharedComposite>()

  init(_ maker: StageMaker) { self.maker = maker }

  /// - Returns: the place of its composite.
  /// - Throws: `.unsupported` where it cannot be made.
  mutating func add(_ setting: ParameterSet) throws(RetakeError) -> Int {
    let plan = try maker.plan(setting)
    let keys = StageKeys(setting, plan)
    let (maker, format) = (maker, maker.format)
    let depth = depths.place(keys.depth) {
      SharedDepth(plan.makesDepth ? format.depth.map { maker.depthStage($0, setting, plan) } : nil)
    }
    let sharedDepth = depths.values[depth]
    let mask = try masks.place(keys.mask) { () throws(RetakeError) in
      // Each has its own meter for the network that it asks.
      let meter = maker.segmenter.flatMap { $0 as? SharedSegmenter }.map(MeteredSegmenter.init)
      let metered = StageMaker(
        format: format, wanted: maker.wanted, background: maker.background, segmenter: meter,
        threadCount: maker.threadCount, processor: maker.processor)
      return SharedMask(plan.makesMask ? try metered.maskStage(setting, plan) : nil, of: sharedDepth, meter: meter)
    }
    let sharedMask = masks.values[mask]
    // One matte alone would be quicker with blur and bend at once; most that are swept are not alone with theirs.
    var blur: SharedBlur?
    if let key = keys.blur, let mask = sharedMask.stage?.output {
      let place = blurs.place(key) { SharedBlur(maker.maskBlurring(mask, setting), of: sharedMask, mask.geometry) }
      blur = blurs.values[place]
    }
    let matte = mattes.place(keys.matte) {
      let stage = plan.makesMatte ? sharedMask.stage : nil
      return SharedMatte(
        stage.map { maker.matteStage($0.output, setting, isGivenBlur: blur != nil) }, of: sharedMask, blur)
    }
    let sharedMatte = mattes.values[matte]
    return composites.place(keys.composite) {
      let stage = plan.makesComposite ? maker.compositeStage(maker.mixedDepthGeometry(setting, plan), setting) : nil
      return SharedComposite(stage, of: sharedMatte, format.color)
    }
  }
}
