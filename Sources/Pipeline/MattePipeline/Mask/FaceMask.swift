import FrameModel
import Kernels
import Parameters

/// The person is everything up to the face's distance plus an offset (A.2 to A.4).
final class FaceMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private var cutoff: FaceCutoff
  private let depthCut: DepthCut
  private(set) var movement: Movement?
  private(set) var hasMask = false

  var cutoffMillimeters: UInt16 { cutoff.millimeters }
  /// 255 where somebody has moved; nil if nobody has.
  var moved: PixelPlane<UInt8>? { cutoff.hasMovement ? movement?.moved : nil }

  init(
    _ geometry: PlaneGeometry, _ format: PipelineFormat, _ parameters: ParameterSet, threadCount: Int,
    processor: Processor
  ) {
    self.geometry = geometry
    movement = Movement(geometry, parameters, threadCount: threadCount, processor: processor)
    depthCut = DepthCut(parameters, processor: processor)
    cutoff = FaceCutoff(parameters, startsFromDisparity: format.depth?.layout.format == .disparityFloat32)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    follow(depth, input, into: mask, bands: bands)
    cut(depth, into: mask, bands: bands)
    return .new
  }

  /// Follows faces and what moves.
  func follow(
    _ depth: PreparedDepth, _ input: MaskInput, withMovement: Bool = true, into mask: Mask, bands: BandRunner
  ) {
    if withMovement, input.newDepth != nil { movement?.add(depth.millimeters, bands: bands) }
    // Also for depth that is not new: other parameters can read another distance from it.
    cutoff.update(faces: input.depthFaces, depth: depth, movement: movement)
    mask.moved = moved
    hasMask = true
  }

  func cut(_ depth: PreparedDepth, into mask: Mask, bands: BandRunner) {
    depthCut.cut(depth, at: cutoff.millimeters, into: mask.plane, bands: bands)
  }

  func restart() -> Bool {
    cutoff.restart()
    hasMask = false
    return movement == nil
  }

  /// The current offset applies to the last face's distance.
  func carryOn(from old: any MaskSource) {
    let outer = old as? EmptyStartMask
    guard let old = old as? FaceMask ?? outer?.face else { return }
    cutoff.carryOn(from: old.cutoff)
    if outer?.followsMovement != false, let before = old.movement { movement = movement?.carriedOn(from: before) }
  }
}
