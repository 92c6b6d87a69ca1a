import FrameModel
import Kernels
import Parameters

/// The person is everything up to the face's distance plus an offset (A.2 to A.4).
final class FaceMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private var cutoff: FaceCutoff
  private let cut: DepthCut
  private var movement: Movement?
  private var hasMask = false

  var cutoffMillimeters: UInt16 { cutoff.millimeters }

  init(
    _ geometry: PlaneGeometry, _ format: PipelineFormat, _ parameters: ParameterSet, threadCount: Int,
    processor: Processor
  ) {
    self.geometry = geometry
    movement = Movement(geometry, parameters, threadCount: threadCount, processor: processor)
    cut = DepthCut(parameters, processor: processor)
    cutoff = FaceCutoff(parameters, startsFromDisparity: format.depth?.layout.format == .disparityFloat32)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    if input.newDepth != nil { movement?.add(depth.millimeters, bands: bands) }
    mask.moved = movement?.moved
    // Also for depth that is not new: other parameters can read another distance from it.
    cutoff.update(faces: input.depthFaces, depth: depth, behindMovement: movement?.distanceBehind)
    cut.cut(depth, at: cutoff.millimeters, into: mask.plane, bands: bands)
    hasMask = true
    return .new
  }

  func restart() -> Bool {
    cutoff.restart()
    hasMask = false
    return movement == nil
  }

  /// The current offset applies to the last face's distance.
  func carryOn(from old: any MaskSource) {
    guard let old = old as? FaceMask else { return }
    cutoff.carryOn(from: old.cutoff)
    if let before = old.movement { movement = movement?.carriedOn(from: before) }
  }
}
