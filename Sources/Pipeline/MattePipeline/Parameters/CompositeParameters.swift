import Kernels
import Parameters

package struct CompositeParameters: ParameterGroup {
  package let kind = Parameter<CompositeKind>(
    "composite.kind",
    help:
      "what is shown behind the person; backdrop: the background; face-color: a colour computed from the face's "
      + "angles; comic: a comic of the video; blur: the video, blurred by the matte; filter: only the video, "
      + "without a mask"
  )
  package let filter = Parameter<VideoFilter.Kind>(
    "composite.filter",
    help:
      "filter applied to the video first; rosy removes green, rosy-matrix does so with a colour matrix, comic "
      + "draws a comic"
  )
  package let background = Parameter<String>.path(
    "composite.background",
    help:
      "composite.kind=backdrop: picture (PNG or JPEG), video or recording behind the person; without one, see "
      + "composite.without-background"
  )
  package let fit = Parameter<PictureFit>(
    "composite.fit",
    help:
      "how a background of another aspect ratio is fitted; fill crops it, fit adds bars, crop shows its lower "
      + "left corner unscaled, stretch distorts it"
  )
  package let color = Parameter<RGBColor>(
    "composite.color", default: .black, help: "colour behind the person and of the bars beside a background")
  package let withoutBackground = Parameter<WithoutBackground>(
    "composite.without-background",
    help: "what is shown when no background is given; color: composite.color, video: the unchanged video")
  package let withoutMask = Parameter<WithoutMask>(
    "composite.without-mask",
    help:
      "how frames without a mask, or without depth to show, are handled; skip: left out, video: only the "
      + "filtered video is shown"
  )
  package let blurRadius = Parameter<Int>(
    "composite.blur-radius", unit: "video px", 1...64, default: 10,
    help: "composite.kind=blur: standard deviation of the blur where the matte is 0")
  package let mix = Parameter<Double>(
    "composite.mix", 0...1, default: 0, help: "share of the greyscale depth picture in the final picture")
  package let foreground = Parameter<ForegroundKind>(
    "composite.foreground",
    help:
      "colours of the person at soft edges; video: as they are, with a halo of the old room in them; estimate: the "
      + "person's own, from what is opaque and what is transparent nearby"
  )
  package let despill = Parameter<PixelColors.Spill?>(
    "composite.despill",
    help: "removes this colour from the person where it exceeds both others; not applied with composite.kind=filter")
  package let despillAmount = Parameter<Double>(
    "composite.despill-amount", 0...1, default: 1,
    help: "strength of composite.despill; 1 removes all of the excess colour")
  package let lightWrap = Parameter<Double>(
    "composite.light-wrap", 0...1, default: 0,
    help: "strength of the background's light at the person's edge; not applied with composite.kind=blur and filter")
  package let lightWrapRadius = Parameter<Int>(
    "composite.light-wrap-radius", unit: "video px", 1...64, default: 12,
    help: "how far composite.light-wrap reaches into the person")
  package let light = Parameter<LightSpace>(
    "composite.light",
    help: "how person and background are blended; srgb: the stored values, linear: linear light")
}
