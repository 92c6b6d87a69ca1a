import Parameters

/// How pixels without depth are classified. Raw values are those of `mask.holes`.
enum HoleRule: String, CaseIterable, Sendable {
  /// Background (A.4); in masks made from disparity, the greatest disparity, 1 (C.12).
  case auto
  case background, foreground
  /// The person if the hole was judged too near for the sensor, else background.
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
