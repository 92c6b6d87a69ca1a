import FrameModel
import Kernels
import Parameters

/// The person is as near as the face and an offset, or nearer (A.2 to A.4).
final class FaceMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private var cutoff: FaceCutoff
  private let cut: DepthCut
  private var hasMask = false

  var cutoffMillimeters: UInt16 { cutoff.millimeters }

  /// - Parameter geometry: of prepared depth.
  init(_ geometry: PlaneGeometry, _ format: PipelineFormat, _ parameters: ParameterSet, processor: Processor) {
    self.geometry = geometry
    cut = DepthCut(parameters, processor: processor)
    cutoff = FaceCutoff(parameters, startsFromDisparity: format.depth?.layout.format == .disparityFloat32)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    // Not only of new depth: the same faces in the same depth, read by other parameters, may lie elsewhere, and by the same
    // ones they do not.
    cutoff.update(faces: input.depthFaces, depth: depth)
    cut.cut(depth, at: cutoff.millimeters, into: mask.plane, bands: bands)
    hasMask = true
    return .new
  }

  /// The last face's distance, to which the offset in force now is added.
  func carryOn(from old: any MaskSource) {
    if let old = old as? FaceMask { cutoff.carryOn(from: old.cutoff) }
  }
}
