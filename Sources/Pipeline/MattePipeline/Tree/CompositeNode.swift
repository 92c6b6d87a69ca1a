import FrameModel
import Kernels
import Parameters
import Support

/// Makes composites and assembles the result of a frame set.
final class CompositeNode {
  let matte: MatteNode
  private var slot = StageSlot<CompositeStage, PlaneGeometry?>("composite")
  private var pool: CompositePool
  private var changed: PipelineStages = []
  private var ownFailure: RetakeError?
  /// The result for the last frame set; nil if it failed.
  private(set) var result: PipelineResult?
  /// Of the last frame set, if it was skipped for want of a mask.
  private var unmasked: UnmaskedPictures?

  init(of matte: MatteNode, _ maker: StageMaker, heldOutputs: Int) {
    self.matte = matte
    pool = CompositePool(maker.format.color, heldOutputs: maker.wanted.contains(.composite) ? heldOutputs : nil)
  }

  var mask: MaskNode { matte.mask }
  var depth: DepthNode { matte.mask.depth }
  var failure: RetakeError? { ownFailure ?? mask.failure ?? depth.failure }

  func forgetFailures() { (ownFailure, mask.failure, depth.failure) = (nil, nil, nil) }

  /// - Returns: the result, which the node releases, so that only the caller keeps its buffers in
  ///   use.
  func takeResult() -> PipelineResult? {
    defer { result = nil }
    return result
  }

  /// As `takeResult`.
  func takeUnmasked() -> UnmaskedPictures? {
    defer { unmasked = nil }
    return unmasked
  }

  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) {
    guard plan.makesComposite else { return slot.deactivate() }
    let geometry = maker.mixedDepthGeometry(parameters, plan)
    _ = slot.activate(parameters, geometry) { maker.compositeStage(geometry, parameters) }
  }

  /// Forgets all frames.
  func restart(_ maker: StageMaker) throws(RetakeError) {
    try slot.restart { parameters throws(RetakeError) in
      maker.compositeStage(maker.mixedDepthGeometry(parameters, try maker.plan(parameters)), parameters)
    }
    (changed, ownFailure, result, unmasked) = ([], nil, nil, nil)
  }

  func take(_ frames: FrameSet, picture: PixelPlane<UInt8>, bands: BandRunner) {
    (result, unmasked) = (nil, nil)
    if depth.isNew { changed.insert(.depth) }
    if mask.update == .new { changed.insert(.mask) }
    if matte.isNew { changed.insert(.matte) }
    guard failure == nil else { return }
    do throws(RetakeError) {
      result = try compose(frames, picture, bands)
    } catch {
      ownFailure = error
    }
  }

  private func compose(
    _ frames: FrameSet, _ picture: PixelPlane<UInt8>, _ bands: BandRunner
  ) throws(RetakeError) -> PipelineResult {
    var composite = picture
    if let stage = slot.stage {
      let plane = pool.free()
      composite = plane ?? pool.spare
      let input = CompositeInput(frames: frames, picture: picture, matte: matte.matte, depth: depth.prepared)
      guard try stage.compose(input, to: composite, bands: bands) else {
        unmasked = UnmaskedPictures(
          index: frames.index, original: picture, depth: depth.prepared?.millimeters, depthIsNew: depth.isNew)
        return .skipped(.withoutMask)
      }
      guard plane != nil else { return .skipped(.allHeld) }
    }
    defer { changed = [] }
    return .output(
      PipelineOutput(
        index: frames.index, presentation: frames.color.timestamps.presentation, depthIsNew: depth.isNew,
        maskIsNew: mask.update == .new, changed: changed, sourceColor: frames.color,
        sourceDepth: depth.stage == nil ? nil : depth.held, cutoffMillimeters: mask.stage?.cutoffMillimeters ?? 0,
        original: picture, depth: depth.prepared?.millimeters, mask: mask.mask?.plane, matte: matte.matte,
        composite: composite))
  }
}
