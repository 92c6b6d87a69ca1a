import Kernels
import Parameters

/// The person is everything at or nearer than one fixed distance.
final class CutoffMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  let cutoffMillimeters: UInt16
  private let cut: DepthCut
  private var hasMask = false

  init(_ geometry: PlaneGeometry, _ parameters: ParameterSet, processor: Processor) {
    self.geometry = geometry
    cut = DepthCut(parameters, processor: processor)
    cutoffMillimeters = UInt16(clamping: Int.millimeters(parameters[PipelineParameters.mask.cutoff]))
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    cut.cut(depth, at: cutoffMillimeters, into: mask.plane, bands: bands)
    hasMask = true
    return .new
  }

  func restart() -> Bool {
    hasMask = false
    return true
  }
}

extension Int {
  static func millimeters(_ meters: Double) -> Int { Int((meters * 1000).rounded(.toNearestOrAwayFromZero)) }
}
