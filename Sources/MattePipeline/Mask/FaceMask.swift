import FrameModel
import Kernels
import Parameters

/// The person is as near as the face and an offset, or nearer (A.2 to A.4).
final class FaceMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private var cutoff: FaceCutoff
  private let processor: Processor
  private var hasMask = false

  var cutoffMillimeters: UInt16 { cutoff.millimeters }

  /// - Parameter geometry: of prepared depth.
  init(_ geometry: PlaneGeometry, _ format: PipelineFormat, _ parameters: ParameterSet, processor: Processor) {
    self.geometry = geometry
    self.processor = processor
    cutoff = FaceCutoff(parameters, startsFromDisparity: format.depth?.layout.format == .disparityFloat32)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard input.newDepth != nil, let depth = input.depth else { return hasMask ? .held : .missing }
    cutoff.update(faces: input.depthFaces, depth: depth)
    let (limit, plane, millimeters) = (cutoff.millimeters, mask.plane, depth.millimeters)
    bands.run(rowCount: plane.height) { rows in
      MaskThreshold.nearerThan(
        limit, depth: millimeters.row(rows.lowerBound), mask: plane.row(rows.lowerBound),
        count: rows.count * plane.width, processor: processor)
    }
    hasMask = true
    return .new
  }
}
