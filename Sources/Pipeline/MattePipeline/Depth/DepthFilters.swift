import Kernels
import Parameters

/// The selected depth filters, which run after conversion to millimetres in librealsense's order.
package struct DepthFilters: Equatable {
  /// Raw values are those of `depth.temporal`.
  package enum Temporal: String, ParameterChoice {
    case none, smooth, interpolate
  }
  /// Raw values are those of `depth.holes`.
  package enum Holes: String, ParameterChoice {
    case keep, farthest
  }

  /// Without the stream's own shift.
  let shift: DepthShift
  let decimation: Int
  let spatialPasses: Int
  private(set) var spatialAlpha: Double
  private(set) var spatialDelta: Int
  let temporal: Temporal
  private(set) var temporalAlpha: Double
  private(set) var temporalDelta: Int
  let persistence: DepthPersistence
  private(set) var fillsHoles: Bool

  init(_ parameters: ParameterSet, depthWidth: Int) {
    shift = DepthShift(x: parameters[PipelineParameters.depth.shiftX], y: parameters[PipelineParameters.depth.shiftY])
    decimation = Self.decimation(parameters, depthWidth: depthWidth)
    spatialPasses = parameters[PipelineParameters.depth.spatialPasses]
    spatialAlpha = parameters[PipelineParameters.depth.spatialAlpha]
    spatialDelta = parameters[PipelineParameters.depth.spatialDelta]
    temporal = parameters[PipelineParameters.depth.temporal]
    temporalAlpha = parameters[PipelineParameters.depth.temporalAlpha]
    temporalDelta = parameters[PipelineParameters.depth.temporalDelta]
    persistence = DepthPersistence.allCases[parameters[PipelineParameters.depth.persistence]]
    fillsHoles = parameters[PipelineParameters.depth.holes] == .farthest
  }

  /// `depth.decimation`, or more (at most 8) if depth is wider than `depth.width`.
  static func decimation(_ parameters: ParameterSet, depthWidth: Int) -> Int {
    let widest = parameters[PipelineParameters.depth.width]
    let needed = widest == 0 ? 1 : min(8, (depthWidth + widest - 1) / widest)
    return max(parameters[PipelineParameters.depth.decimation], needed)
  }

  /// Only what affects state kept between frames: neither hole filling nor disabled filters.
  var lasting: DepthFilters {
    var copy = self
    copy.fillsHoles = false
    if spatialPasses == 0 { (copy.spatialAlpha, copy.spatialDelta) = (1, 1) }
    if temporal != .smooth { copy.temporalAlpha = 1 }
    if temporal == .none { copy.temporalDelta = 1 }
    return copy
  }
  /// Whether a pixel depends on its own past.
  var follows: Bool { temporal == .smooth || persistence != .never }
  /// Whether values stay as converted; they may be moved.
  var isNone: Bool { decimation == 1 && spatialPasses == 0 && temporal == .none && !follows && !fillsHoles }
}
