import Parameters
import Support

/// Builds the nodes of a tree; settings with equal keys share nodes.
struct StageTreeBuilder {
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
  private let sharesBlur: Bool
  private let heldOutputs: Int
  private(set) var depths = Nodes<DepthNode>()
  private(set) var masks = Nodes<MaskNode>()
  private(set) var blurs = Nodes<BlurNode>()
  private(set) var mattes = Nodes<MatteNode>()
  private(set) var composites = Nodes<CompositeNode>()

  init(_ maker: StageMaker, sharesBlur: Bool, heldOutputs: Int) {
    (self.maker, self.sharesBlur, self.heldOutputs) = (maker, sharesBlur, heldOutputs)
  }

  /// - Returns: the index of the setting's composite.
  /// - Throws: `.unsupported` if the setting cannot be made.
  mutating func add(_ setting: ParameterSet) throws(RetakeError) -> Int {
    let (maker, heldOutputs) = (maker, heldOutputs)
    let plan = try maker.plan(setting)
    let keys = StageKeys(setting, plan, sharesBlur: sharesBlur)
    let depthPlace = try depths.place(keys.depth) {
      let node = DepthNode(maker.clock)
      node.update(setting, plan, maker)
      return node
    }
    let depth = depths.values[depthPlace]
    let maskPlace = try masks.place(keys.mask) { () throws(RetakeError) in
      // Each mask measures the time of the network on its own.
      let meter = (maker.segmenter as? SharedSegmenter).map(MeteredSegmenter.init)
      let node = MaskNode(of: depth, meter: meter, maker.clock)
      try node.update(setting, plan, maker)
      return node
    }
    let mask = masks.values[maskPlace]
    var blur: BlurNode?
    if let key = keys.blur, let output = mask.stage?.output {
      let place = try blurs.place(key) {
        BlurNode(maker.maskBlurring(output, setting), setting.blurText, of: mask, output.geometry, maker)
      }
      blur = blurs.values[place]
    }
    let mattePlace = try mattes.place(keys.matte) {
      let node = MatteNode(of: mask, blur, maker.clock)
      node.update(setting, plan, maker)
      return node
    }
    let matte = mattes.values[mattePlace]
    return try composites.place(keys.composite) {
      let node = CompositeNode(of: matte, maker, heldOutputs: heldOutputs)
      node.update(setting, plan, maker)
      return node
    }
  }
}
