import Kernels
import Parameters

package struct DepthParameters: ParameterGroup {
  /// Raw values of `DepthConverter.Viewpoint`.
  package let registration = Parameter<DepthConverter.Viewpoint>(
    "depth.registration",
    help:
      "registers depth to the colour camera's view, using the cameras' calibration; auto: if the recording allows it")
  package let shiftX = Parameter<Int>(
    "depth.shift-x", unit: "depth px", -64...64, default: 0,
    help:
      "moves depth to the right against colour, left if negative, in addition to a stored alignment; pixels that nothing "
      + "moves to are holes")
  package let shiftY = Parameter<Int>(
    "depth.shift-y", unit: "depth px", -64...64, default: 0,
    help: "moves depth down against colour, up if negative, in addition to a stored alignment")
  package let scaleBy = Parameter<PlaneGeometry.ScaleRule>(
    "depth.scale-by",
    help:
      "which sides of depth and video are matched in scale; width: their widths, longer-side: the longer side of each")
  package let decimation = Parameter<Int>(
    "depth.decimation", unit: "depth px", 1...8, default: 1,
    help: "decimation factor n; each output pixel is the median of the measured pixels in an n x n block")
  package let width = Parameter<Int>(
    "depth.width", unit: "depth px", 0...65_535, default: 0,
    help: "largest width; wider depth is decimated by the smallest factor that suffices, at most 8; 0: no limit")
  package let spatialPasses = Parameter<Int>(
    "depth.spatial-passes", 0...5, default: 0,
    help: "number of passes of the edge-preserving spatial filter; 0: off")
  package let spatialAlpha = Parameter<Double>(
    "depth.spatial-alpha", 0.25...1, default: 0.5,
    help: "weight of the new value in the spatial filter; 1: no smoothing")
  package let spatialDelta = Parameter<Int>(
    "depth.spatial-delta", unit: "mm", 1...1000, default: 20,
    help: "the spatial filter keeps larger depth steps as edges")
  package let temporal = Parameter<DepthFilters.Temporal>(
    "depth.temporal",
    help:
      "temporal filter against flicker; smooth: averages each pixel over past frames; interpolate: uses the depth before "
      + "and, if depth.look-ahead allows it, the depth after"
  )
  package let temporalAlpha = Parameter<Double>(
    "depth.temporal-alpha", 0.05...1, default: 0.4, help: "weight of the new depth in temporal smoothing")
  package let temporalDelta = Parameter<Int>(
    "depth.temporal-delta", unit: "mm", 1...1000, default: 20,
    help: "larger changes are movement and are not smoothed")
  package let persistence = Parameter<Int>(
    "depth.persistence", 0...8, default: 0,
    help:
      "when a hole shows the last measured depth; 0: never, 1: measured in 8 of the last 8 frames, 2: in 2 of "
      + "3, 3: in 2 of 4, 4: in 2 of 8, 5: in 1 of 2, 6: in 1 of 5, 7: in 1 of 8, 8: always"
  )
  package let holes = Parameter<DepthFilters.Holes>(
    "depth.holes",
    help: "how holes are filled; keep: not at all, farthest: with the farthest neighbour")
  package let lookAhead = Parameter<Int>(
    "depth.look-ahead", unit: "frames", 0...30, default: 0,
    help: "how long the video waits for later depth; the depth nearest in time is used, so that mattes do not lag")
}
