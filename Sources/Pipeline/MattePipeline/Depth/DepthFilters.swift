import Kernels
import Parameters

/// The selected depth filters, which run after conversion to millimetres in librealsense's order.
struct DepthFilters: Equatable {
  enum Temporal: String {
    case none, smooth, interpolate
  }

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
    decimation = Self.decimation(parameters, depthWidth: depthWidth)
    spatialPasses = parameters[PipelineParameters.spatialPasses]
    spatialAlpha = parameters[PipelineParameters.spatialAlpha]
    spatialDelta = parameters[PipelineParameters.spatialDelta]
    temporal = Temporal(rawValue: parameters[PipelineParameters.temporal]) ?? .none
    temporalAlpha = parameters[PipelineParameters.temporalAlpha]
    temporalDelta = parameters[PipelineParameters.temporalDelta]
    persistence = DepthPersistence(rawValue: parameters[PipelineParameters.persistence]) ?? .never
    fillsHoles = parameters[PipelineParameters.holes] == "farthest"
  }

  /// `depth.decimation`, or more (at most 8) if depth is wider than `depth.width`.
  static func decimation(_ parameters: ParameterSet, depthWidth: Int) -> Int {
    let widest = parameters[PipelineParameters.depthWidth]
    let needed = widest == 0 ? 1 : min(8, (depthWidth + widest - 1) / widest)
    return max(parameters[PipelineParameters.decimation], needed)
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
  var isNone: Bool { decimation == 1 && spatialPasses == 0 && temporal == .none && !follows && !fillsHoles }
}
