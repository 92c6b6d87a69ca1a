import Parameters

/// What can be set about masks, mattes and compositing.
package enum PipelineParameters {
  /// Names of `DepthConverter.Viewpoint`.
  package static let registration = Parameter<String>(
    "depth.registration", oneOf: ["auto", "color", "none"],
    help: "depth as the colour camera sees it, by a Kinect's calibration; auto: where the recording allows")
  package static let faceSample = Parameter<String>(
    "mask.face-sample", oneOf: ["median", "center-pixel"],
    help: "depth of the face: median of the inner box, or its centre pixel with no guard against holes")
  package static let offset = Parameter<Double>(
    "mask.offset", unit: "m", -1...5, default: 0.25,
    help: "how far behind the face the person ends; further away is background")
  package static let start = Parameter<Double>(
    "mask.start", unit: "m", 0...20, default: 1,
    help: "the cut-off until the first face is seen; later the last one holds")
  package static let blur = Parameter<Double>(
    "matte.blur", unit: "depth px", 0...64, default: 5, help: "standard deviation of the Gaussian blur of the mask")
  /// From 0.4 on: below, the power lifts what the blur's 24 bits and 5 σ no longer hold, and the matte ends in a rim.
  package static let gamma = Parameter<Double>(
    "matte.gamma", 0.4...20, default: 0.5,
    help: "power that the blurred mask is raised to; below 1 the person's outline grows")
  package static let background = Parameter<String>.path(
    "composite.background", help: "picture behind the person (PNG or JPEG), cropped to fill; black without one")

  package static let all = [
    registration.declaration, faceSample.declaration, offset.declaration, start.declaration, blur.declaration,
    gamma.declaration,
    background.declaration,
  ]
}
