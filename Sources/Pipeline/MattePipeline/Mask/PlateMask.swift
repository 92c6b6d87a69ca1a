import FrameModel
import Kernels
import Parameters

/// The person is everything nearer than the empty scene. That is learned from the first depth
/// frames without a face; until then there is no mask.
final class PlateMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private let marginMillimeters: Int
  private let holes: BackgroundPlate.Hole
  private let cut: DepthCut
  /// Nil once the plate is learned.
  private var learning: PlateLearning?
  private var plate: BackgroundPlate
  private let limits: PixelPlane<UInt16>
  private var hasMask = false

  init(_ geometry: PlaneGeometry, _ parameters: ParameterSet, processor: Processor) {
    self.geometry = geometry
    marginMillimeters = Int.millimeters(parameters[PipelineParameters.mask.plateMargin])
    holes = parameters[PipelineParameters.mask.plateHoles]
    cut = DepthCut(parameters, processor: processor)
    let (width, height) = (geometry.width, geometry.height)
    learning = PlateLearning(
      frameCount: parameters[PipelineParameters.mask.plateFrames], width: width, height: height)
    plate = BackgroundPlate(width: width, height: height)
    limits = PixelPlane(width: width, height: height)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    if let learning {
      guard input.newDepth != nil, input.depthFaces.isEmpty else { return .missing }
      learning.add(depth.millimeters, bands: bands)
      guard learning.isComplete else { return .missing }
      learning.finish(plate)
      plate.writeLimits(marginMillimeters: marginMillimeters, holes: holes, to: limits)
      self.learning = nil
    }
    cut.cut(depth, at: limits, into: mask.plane, bands: bands)
    hasMask = true
    return .new
  }

  /// Keeps a finished plate. An unfinished one goes on if `mask.plate-frames` is the same.
  func carryOn(from old: any MaskSource) {
    guard let old = old as? PlateMask, old.limits.width == limits.width, old.limits.height == limits.height else {
      return
    }
    if let unfinished = old.learning {
      if unfinished.frameCount == learning?.frameCount { learning = unfinished }
      return
    }
    plate = old.plate
    learning = nil
    plate.writeLimits(marginMillimeters: marginMillimeters, holes: holes, to: limits)
  }
}
