import Parameters

extension PipelineParameters {
  package static let compositeKind = Parameter<String>(
    "composite.kind", oneOf: CompositeKind.allCases.map(\.rawValue),
    help:
      "what is shown behind the person; backdrop: the background; face-color: a colour computed from the face's "
      + "angles; comic: a comic of the video; blur: the video, blurred by the matte; filter: only the video, "
      + "without a mask"
  )
  package static let filter = Parameter<String>(
    "composite.filter", oneOf: ["none", "rosy", "rosy-matrix", "comic"],
    help:
      "filter applied to the video first; rosy removes green, rosy-matrix does so with a colour matrix, comic "
      + "draws a comic"
  )
  package static let background = Parameter<String>.path(
    "composite.background",
    help:
      "composite.kind=backdrop: picture (PNG or JPEG), video or recording behind the person; without one, see "
      + "composite.without-background"
  )
  package static let fit = Parameter<String>(
    "composite.fit", oneOf: ["fill", "fit", "crop", "stretch"],
    help:
      "how a background of another aspect ratio is fitted; fill crops it, fit adds bars, crop shows its lower "
      + "left corner unscaled, stretch distorts it"
  )
  package static let color = Parameter<RGBColor>(
    "composite.color", default: .black, help: "colour behind the person and of the bars beside a background")
  package static let withoutBackground = Parameter<String>(
    "composite.without-background", oneOf: ["color", "video"],
    help: "what is shown when no background is given; color: composite.color, video: the unchanged video")
  package static let withoutMask = Parameter<String>(
    "composite.without-mask", oneOf: ["skip", "video"],
    help:
      "how frames without a mask, or without depth to show, are handled; skip: left out, video: only the "
      + "filtered video is shown"
  )
  package static let blurRadius = Parameter<Int>(
    "composite.blur-radius", unit: "video px", 1...64, default: 10,
    help: "composite.kind=blur: standard deviation of the blur where the matte is 0")
  package static let mix = Parameter<Double>(
    "composite.mix", 0...1, default: 0, help: "share of the greyscale depth picture in the final picture")
  package static let despill = Parameter<String>(
    "composite.despill", oneOf: ["none", "green", "blue"],
    help: "removes this colour from the person where it exceeds both others; not applied with composite.kind=filter")
  package static let despillAmount = Parameter<Double>(
    "composite.despill-amount", 0...1, default: 1,
    help: "strength of composite.despill; 1 removes all of the excess colour")
  package static let lightWrap = Parameter<Double>(
    "composite.light-wrap", 0...1, default: 0,
    help: "strength of the background's light at the person's edge; not applied with composite.kind=blur and filter")
  package static let lightWrapRadius = Parameter<Int>(
    "composite.light-wrap-radius", unit: "video px", 1...64, default: 12,
    help: "how far composite.light-wrap reaches into the person")
  package static let light = Parameter<String>(
    "composite.light", oneOf: ["srgb", "linear"],
    help: "how person and background are blended; srgb: the stored values, linear: linear light")

  static let compositeParameters = [
    compositeKind.declaration, filter.declaration, background.declaration, fit.declaration, color.declaration,
    withoutBackground.declaration, withoutMask.declaration, blurRadius.declaration, mix.declaration,
    despill.declaration, despillAmount.declaration, lightWrap.declaration, lightWrapRadius.declaration,
    light.declaration,
  ]
}
