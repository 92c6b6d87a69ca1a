import Parameters

extension PipelineParameters {
  package static let compositeKind = Parameter<String>(
    "composite.kind", oneOf: CompositeKind.allCases.map(\.rawValue),
    help: "what is behind the person: the background, a colour made of the face's angles, a comic of the picture, or "
      + "the picture blurred the more the less it is the person; filter: no mask is made")
  package static let filter = Parameter<String>(
    "composite.filter", oneOf: ["none", "rosy", "rosy-matrix", "comic"],
    help: "what is done to the video first; rosy takes its green away, rosy-matrix does so by a colour matrix")
  package static let background = Parameter<String>.path(
    "composite.background",
    help:
      "composite.kind=backdrop: picture (PNG or JPEG), video or recording behind the person; composite.color without one"
  )
  package static let fit = Parameter<String>(
    "composite.fit", oneOf: ["fill", "fit", "crop", "stretch"],
    help:
      "how a background of another shape takes the video's: fill cuts it, fit shows all of it with bars, crop keeps "
      + "its lower left corner and scales nothing, stretch changes its shape")
  package static let color = Parameter<RGBColor>(
    "composite.color", default: .black, help: "colour behind the person, and of bars beside a background")
  package static let withoutBackground = Parameter<String>(
    "composite.without-background", oneOf: ["color", "video"],
    help: "what shows when no background is given: composite.color, or the video as it is")
  package static let withoutMask = Parameter<String>(
    "composite.without-mask", oneOf: ["skip", "video"],
    help: "what becomes of a frame that has no mask, or no depth to show: left out, or the video as it is")
  package static let blurRadius = Parameter<Int>(
    "composite.blur-radius", unit: "video px", 1...64, default: 10,
    help: "composite.kind=blur: standard deviation of the blur where it is no person at all")
  package static let mix = Parameter<Double>(
    "composite.mix", 0...1, default: 0, help: "share of the depth in grey that is mixed over everything")
  package static let despill = Parameter<String>(
    "composite.despill", oneOf: ["none", "green", "blue"],
    help: "what of this colour is above both others is taken off the person; nothing for composite.kind=filter")
  package static let despillAmount = Parameter<Double>(
    "composite.despill-amount", 0...1, default: 1, help: "how much of it")
  package static let lightWrap = Parameter<Double>(
    "composite.light-wrap", 0...1, default: 0,
    help: "how much of the background's light falls round the person's edge; none for composite.kind=blur and filter")
  package static let lightWrapRadius = Parameter<Int>(
    "composite.light-wrap-radius", unit: "video px", 1...64, default: 12, help: "how far in that light reaches")
  package static let light = Parameter<String>(
    "composite.light", oneOf: ["srgb", "linear"],
    help: "whether the person is blended with what is behind as pixels are stored, or as amounts of light")

  static let compositeParameters = [
    compositeKind.declaration, filter.declaration, background.declaration, fit.declaration, color.declaration,
    withoutBackground.declaration, withoutMask.declaration, blurRadius.declaration, mix.declaration,
    despill.declaration, despillAmount.declaration, lightWrap.declaration, lightWrapRadius.declaration,
    light.declaration,
  ]
}
