import Parameters

extension PipelineParameters {
  /// What each parameter needs in order to have an effect. One without an entry always has one.
  package static let conditions: [String: [ParameterCondition]] = {
    var table = own
    for declaration in mask.declarations + matte.declarations {
      table[declaration.name, default: []].insert(notFilter, at: 0)
    }
    return table
  }()

  private static let notFilter = ParameterCondition(
    "composite.kind other than filter", anyOf: "composite.kind", test: .isNone(of: ["filter"]))

  private static func mask(_ kinds: String...) -> ParameterCondition {
    ParameterCondition(
      "mask.kind=\(kinds.joined(separator: " or "))", anyOf: "mask.kind", "mask.second", test: .isOne(of: kinds))
  }

  private static func isOn(_ name: String) -> ParameterCondition {
    ParameterCondition("\(name) above 0", anyOf: name, test: .isAbove(0))
  }

  private static func has(_ name: String) -> ParameterCondition {
    ParameterCondition(name, anyOf: name, test: .isNone(of: ["none"]))
  }

  private static let own: [String: [ParameterCondition]] = {
    let face = mask("face")
    let room = mask("plate", "face")
    let plate = ParameterCondition(
      "mask.kind=plate or mask.empty-start=true",
      anyOf: [
        ("mask.kind", .isOne(of: ["plate"])), ("mask.second", .isOne(of: ["plate"])),
        ("mask.empty-start", .isOne(of: ["true"])),
      ])
    let noFile = ParameterCondition(
      "no mask.plate, or mask.empty-start=true",
      anyOf: [("mask.plate", .isOne(of: [""])), ("mask.empty-start", .isOne(of: ["true"]))])
    let network = mask("segmentation")
    let pass = mask("high-pass", "band-pass")
    let smooth = ParameterCondition("depth.temporal=smooth", anyOf: "depth.temporal", test: .isOne(of: ["smooth"]))
    let byColor = ParameterCondition("matte.refine=color", anyOf: "matte.refine", test: .isOne(of: ["color"]))
    let notByColor = ParameterCondition("matte.refine=none", anyOf: "matte.refine", test: .isNone(of: ["color"]))
    // Where colours decide everywhere, the softened mask is not used.
    let soft = ParameterCondition(
      "matte.refine=none or matte.refine-doubt below 1",
      anyOf: [("matte.refine", .isNone(of: ["color"])), ("matte.refine-doubt", .isBelow(1))])
    let backdrop = ParameterCondition(
      "composite.kind=backdrop", anyOf: "composite.kind", test: .isOne(of: ["backdrop"]))
    let background = ParameterCondition("a background", anyOf: "composite.background", test: .isNone(of: [""]))
    let noBackground = ParameterCondition("no background", anyOf: "composite.background", test: .isOne(of: [""]))
    let bars = ParameterCondition(
      "no background, or bars beside it",
      anyOf: [("composite.background", .isOne(of: [""])), ("composite.fit", .isOne(of: ["fit", "crop"]))])
    return [
      "depth.spatial-alpha": [isOn("depth.spatial-passes")], "depth.spatial-delta": [isOn("depth.spatial-passes")],
      "depth.temporal-alpha": [smooth], "depth.temporal-delta": [smooth],
      "mask.combine": [has("mask.second")],
      "mask.face-sample": [face], "mask.offset": [face], "mask.start": [face], "mask.without-face": [face],
      "mask.movement": [face], "mask.empty-start": [face],
      "mask.cutoff": [mask("cutoff")],
      "mask.focus": [mask("high-pass", "sharp-high-pass", "band-pass")], "mask.slope": [pass],
      "mask.plate": [mask("plate")], "mask.plate-frames": [room, plate, noFile], "mask.plate-margin": [room, plate],
      "mask.plate-holes": [room, plate], "mask.plate-outliers": [room, plate, noFile],
      "mask.plate-doubt": [room, plate], "mask.plate-color": [room, plate], "mask.plate-renew": [room, plate],
      "mask.model": [network], "mask.label": [network], "mask.soft": [network], "mask.threshold": [network],
      "mask.every": [network], "mask.quality": [network],
      "mask.smallest-piece": [
        ParameterCondition("mask.pieces other than all", anyOf: "mask.pieces", test: .isNone(of: ["all"]))
      ],
      "matte.open": [soft], "matte.close": [soft], "matte.grow": [soft], "matte.blur": [soft],
      "matte.feather": [soft], "matte.gamma": [soft], "matte.temporal": [soft], "matte.scale": [soft],
      "matte.temporal-weight": [soft, has("matte.temporal")],
      "matte.guided-radius": [notByColor], "matte.guided-epsilon": [notByColor, isOn("matte.guided-radius")],
      "matte.refine-inside": [byColor], "matte.refine-outside": [byColor], "matte.refine-holes": [byColor],
      "matte.refine-doubt": [byColor],
      "composite.background": [backdrop], "composite.fit": [backdrop, background],
      "composite.color": [backdrop, bars], "composite.without-background": [backdrop, noBackground],
      "composite.blur-radius": [
        ParameterCondition("composite.kind=blur", anyOf: "composite.kind", test: .isOne(of: ["blur"]))
      ],
      "composite.despill": [notFilter], "composite.despill-amount": [has("composite.despill")],
      "composite.light-wrap": [
        ParameterCondition(
          "composite.kind other than blur and filter", anyOf: "composite.kind", test: .isNone(of: ["blur", "filter"]))
      ],
      "composite.light-wrap-radius": [isOn("composite.light-wrap")],
    ]
  }()
}
