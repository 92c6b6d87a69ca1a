import Parameters

/// What pixels without depth are. Raw values are those of `mask.holes`.
enum HoleRule: String, CaseIterable, Sendable {
  /// As the seed systems have it: background (A.4); but the nearest that there is, a disparity of 1, where masks are made
  /// of disparity (C.12).
  case auto
  case background, foreground
  /// The person where depth preparation found that they came too near for the sensor, else background.
  case near

  init(_ parameters: ParameterSet) {
    self = HoleRule(rawValue: parameters[PipelineParameters.maskHoles]) ?? .auto
  }
}

extension PlaneGeometry.ScaleRule {
  init(_ parameters: ParameterSet) {
    self = PlaneGeometry.ScaleRule(rawValue: parameters[PipelineParameters.scaleBy]) ?? .width
  }
}
