import Parameters

extension PipelineParameters {
  package static let open = Parameter<Int>(
    "matte.open", unit: "mask px", 0...32, default: 0, help: "removes specks of the mask narrower than twice this")
  package static let close = Parameter<Int>(
    "matte.close", unit: "mask px", 0...32, default: 0, help: "closes gaps in the mask narrower than twice this"
  )
  package static let grow = Parameter<Int>(
    "matte.grow", unit: "mask px", -32...32, default: 0, help: "dilates the mask; a negative value erodes it")
  package static let blur = Parameter<Double>(
    "matte.blur", unit: "mask px", 0...64, default: 5, help: "standard deviation of the Gaussian blur of the mask")
  package static let feather = Parameter<String>(
    "matte.feather", oneOf: ["both", "in", "out"],
    help: "where the blur shows; both: on both sides of the mask's outline, in: inside, out: outside")
  /// At least 0.4: lower powers amplify what the blur's 24 bits and 5 σ cut off, and leave a rim.
  package static let gamma = Parameter<Double>(
    "matte.gamma", 0.4...20, default: 0.5,
    help: "exponent applied to the blurred mask; below 1, the person's outline grows")
  package static let temporalMatte = Parameter<String>(
    "matte.temporal", oneOf: ["none", "average", "uncertainty"],
    help: "temporal smoothing; average: blends in the old matte, uncertainty: only where the new matte is uncertain")
  package static let temporalWeight = Parameter<Double>(
    "matte.temporal-weight", 0...0.98, default: 0.5, help: "weight of the old matte in temporal smoothing")
  package static let guidedRadius = Parameter<Int>(
    "matte.guided-radius", unit: "mask px", 0...32, default: 0,
    help: "window radius of the guided filter, which aligns the matte's edges with the video's; 0: off")
  package static let guidedEpsilon = Parameter<Double>(
    "matte.guided-epsilon", 0.0001...1, default: 0.001,
    help: "squared contrast that the guided filter treats as an edge; smaller values follow weaker edges")
  package static let scale = Parameter<String>(
    "matte.scale", oneOf: ["bicubic", "bilinear", "nearest"],
    help: "how the matte is scaled to the video's size; always bilinear if matte.guided-radius is set")

  static let matteParameters = [
    open.declaration, close.declaration, grow.declaration, blur.declaration, feather.declaration, gamma.declaration,
    temporalMatte.declaration, temporalWeight.declaration, guidedRadius.declaration, guidedEpsilon.declaration,
    scale.declaration,
  ]
}
