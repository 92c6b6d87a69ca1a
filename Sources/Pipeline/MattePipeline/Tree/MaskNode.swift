import FrameModel
import Kernels
import Parameters
import Support

/// Holds a mask until a frame makes a new one.
final class MaskNode {
  let depth: DepthNode
  private var slot = StageSlot<MaskStage, PlaneGeometry?>("mask")
  private(set) var update = MaskUpdate.missing
  /// Whether the depth or the stage has changed since the mask was made.
  private var isStale = false
  private var seenArrivals = 0
  var failure: RetakeError?
  private let meter: MeteredSegmenter?
  private let clock: StageClock
  /// CPU time of all frames, including the shared network's time even if another mask ran it.
  private(set) var nanoseconds = 0

  init(of depth: DepthNode, meter: MeteredSegmenter? = nil, _ clock: StageClock) {
    (self.depth, self.meter, self.clock) = (depth, meter, clock)
  }

  var stage: MaskStage? { slot.stage }
  var mask: Mask? { update == .missing ? nil : stage?.output }

  /// - Throws: `.unsupported` for masks that the streams and sources do not allow; the node is then
  ///   unchanged.
  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) throws(RetakeError) {
    guard plan.makesMask else { return slot.deactivate() }
    let geometry = maker.depthGeometry(parameters, plan)
    let isReplaced = try slot.activate(parameters, geometry) { () throws(RetakeError) in
      try maker.maskStage(parameters, plan, meter: meter)
    }
    if isReplaced { isStale = true }
  }

  /// Forgets all frames.
  func restart(_ maker: StageMaker) throws(RetakeError) {
    try slot.restart { parameters throws(RetakeError) in
      try maker.maskStage(parameters, try maker.plan(parameters), meter: meter)
    }
    (update, isStale, seenArrivals) = (.missing, true, 0)
    (failure, nanoseconds) = (nil, 0)
  }

  func take(_ frames: FrameSet, picture: PixelPlane<UInt8>, bands: BandRunner) {
    if depth.isNew { isStale = true }
    update = .missing
    failure = failure ?? depth.failure
    guard failure == nil, let stage else { return }
    var newDepth: Frame?
    if depth.stage != nil, seenArrivals != depth.arrivalCount {
      // Marked as seen even if the mask fails: stages that learn from depth have used this frame.
      (newDepth, seenArrivals) = (depth.held, depth.arrivalCount)
    }
    let input = MaskInput(
      frames: frames, picture: picture, newDepth: newDepth, mustRemake: isStale,
      depthCount: depth.arrivalCount, depthFaces: depth.heldFaces, depth: depth.prepared)
    let start = clock.nanoseconds()
    defer { nanoseconds += clock.nanoseconds() - start + (meter?.takeCorrection() ?? 0) }
    do throws(RetakeError) {
      update = try stage.update(input, bands: bands)
      isStale = false
    } catch {
      failure = error
    }
  }
}
