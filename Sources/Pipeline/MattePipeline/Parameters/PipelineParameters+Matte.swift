import Parameters

extension PipelineParameters {
  package static let open = Parameter<Int>(
    "matte.open", unit: "mask px", 0...32, default: 0, help: "specks of the mask that are narrower than twice this go")
  package static let close = Parameter<Int>(
    "matte.close", unit: "mask px", 0...32, default: 0, help: "gaps of the mask that are narrower than twice this close"
  )
  package static let grow = Parameter<Int>(
    "matte.grow", unit: "mask px", -32...32, default: 0, help: "dilates the mask, or erodes it when negative")
  package static let blur = Parameter<Double>(
    "matte.blur", unit: "mask px", 0...64, default: 5, help: "standard deviation of the Gaussian blur of the mask")
  package static let feather = Parameter<String>(
    "matte.feather", oneOf: ["both", "in", "out"],
    help: "on which side of the mask's outline the blur may show")
  /// At least 0.4: lower powers amplify what the blur's 24 bits and 5 σ cut off, and leave a rim.
  package static let gamma = Parameter<Double>(
    "matte.gamma", 0.4...20, default: 0.5,
    help: "power that the blurred mask is raised to; below 1 the person's outline grows")
  package static let temporalMatte = Parameter<String>(
    "matte.temporal", oneOf: ["none", "average", "uncertainty"],
    help: "average: the old matte fades; uncertainty: only where the new one is unsure")
  package static let temporalWeight = Parameter<Double>(
    "matte.temporal-weight", 0...0.98, default: 0.5, help: "share of the old matte in temporal smoothing")
  package static let guidedRadius = Parameter<Int>(
    "matte.guided-radius", unit: "mask px", 0...32, default: 0,
    help: "window of the filter that draws the matte's edges to those of the picture; 0: none")
  package static let guidedEpsilon = Parameter<Double>(
    "matte.guided-epsilon", 0.0001...1, default: 0.001,
    help: "contrast, squared, that the guided filter takes for an edge; smaller follows finer ones")
  package static let scale = Parameter<String>(
    "matte.scale", oneOf: ["bicubic", "bilinear", "nearest"],
    help: "how the matte grows to the video's size; bilinear where matte.guided-radius is set")

  static let matteParameters = [
    open.declaration, close.declaration, grow.declaration, blur.declaration, feather.declaration, gamma.declaration,
    temporalMatte.declaration, temporalWeight.declaration, guidedRadius.declaration, guidedEpsilon.declaration,
    scale.declaration,
  ]
}
