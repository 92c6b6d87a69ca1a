import Parameters

extension PipelineParameters {
  /// Raw values of `DepthConverter.Viewpoint`.
  package static let registration = Parameter<String>(
    "depth.registration", oneOf: ["auto", "color", "none"],
    help: "depth as the colour camera sees it, by the cameras' calibration; auto: where the recording allows")
  package static let scaleBy = Parameter<String>(
    "depth.scale-by", oneOf: PlaneGeometry.ScaleRule.allCases.map(\.rawValue),
    help: "what of depth and video is taken for equally long: their widths, or the longer side of each")
  package static let decimation = Parameter<Int>(
    "depth.decimation", unit: "depth px", 1...8, default: 1,
    help: "so many depth pixels each way become one, the median of the measured ones")
  package static let depthWidth = Parameter<Int>(
    "depth.width", unit: "depth px", 0...65_535, default: 0,
    help: "depth that is wider is decimated by the least number, 8 at most, with which it is not; 0: as wide as it is")
  package static let spatialPasses = Parameter<Int>(
    "depth.spatial-passes", 0...5, default: 0,
    help: "passes of the filter that smooths surfaces and keeps edges; 0: none")
  package static let spatialAlpha = Parameter<Double>(
    "depth.spatial-alpha", 0.25...1, default: 0.5, help: "share of the new value in that filter; 1 smooths nothing")
  package static let spatialDelta = Parameter<Int>(
    "depth.spatial-delta", unit: "mm", 1...1000, default: 20, help: "a step that is larger is an edge")
  package static let temporal = Parameter<String>(
    "depth.temporal", oneOf: ["none", "smooth", "interpolate"],
    help: "smooth: each pixel follows its past; interpolate: it lies between the depth before and, as far as "
      + "depth.look-ahead allows, the depth after")
  package static let temporalAlpha = Parameter<Double>(
    "depth.temporal-alpha", 0.05...1, default: 0.4, help: "share of the new depth in temporal smoothing")
  package static let temporalDelta = Parameter<Int>(
    "depth.temporal-delta", unit: "mm", 1...1000, default: 20,
    help: "a change that is larger is movement, which is not smoothed")
  package static let persistence = Parameter<Int>(
    "depth.persistence", 0...8, default: 0,
    help:
      "when a hole shows the last measured depth: 0 never, 1 valid in 8 of the last 8 frames, 2 in 2 of 3, 3 in 2 of 4, "
      + "4 in 2 of 8, 5 in 1 of 2, 6 in 1 of 5, 7 in 1 of 8, 8 always")
  package static let holes = Parameter<String>(
    "depth.holes", oneOf: ["keep", "farthest"], help: "what fills holes: nothing, or the farthest of the neighbours")
  package static let lookAhead = Parameter<Int>(
    "depth.look-ahead", unit: "frames", 0...30, default: 0,
    help: "video waits so long for depth that comes later: the nearest in time is used, so that mattes do not lag")

  static let depthParameters = [
    registration.declaration, scaleBy.declaration, decimation.declaration, depthWidth.declaration,
    spatialPasses.declaration,
    spatialAlpha.declaration,
    spatialDelta.declaration, temporal.declaration, temporalAlpha.declaration, temporalDelta.declaration,
    persistence.declaration, holes.declaration, lookAhead.declaration,
  ]
}
