import FrameModel
import Kernels
import Parameters
import Support

/// Holds a mask between frames that make a new one.
final class MaskNode {
  let depth: DepthNode
  private var slot = StageSlot<MaskStage, PlaneGeometry?>("mask")
  private(set) var update = MaskUpdate.missing
  /// Whether the mask was made from other depth, or by another stage, than are in force.
  private var isStale = false
  /// As of `DepthNode.arrivalCount`.
  private var seenArrivals = 0
  var failure: RetakeError?
  private let meter: MeteredSegmenter?
  /// CPU time of all frames, with the network's whether it was asked for this mask or for another.
  private(set) var nanoseconds = 0

  /// - Parameter meter: of a network that several masks share.
  init(of depth: DepthNode, meter: MeteredSegmenter? = nil) {
    self.depth = depth
    self.meter = meter
  }

  var stage: MaskStage? { slot.stage }
  /// Nil where this frame has no mask.
  var mask: Mask? { update == .missing ? nil : stage?.output }

  /// - Throws: `.unsupported` for masks that the streams and sources do not allow; nothing has changed then.
  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) throws(RetakeError) {
    guard plan.makesMask else { return slot.deactivate() }
    let geometry = maker.depthGeometry(parameters, plan)
    let isReplaced = try slot.activate(parameters, geometry) { () throws(RetakeError) in
      try maker.maskStage(parameters, plan, meter: meter)
    }
    if isReplaced { isStale = true }
  }

  func take(_ frames: FrameSet, picture: PixelPlane<UInt8>, bands: BandRunner) {
    if depth.isNew { isStale = true }
    update = .missing
    failure = failure ?? depth.failure
    guard failure == nil, let stage else { return }
    var newDepth: Frame?
    if depth.stage != nil, seenArrivals != depth.arrivalCount {
      // What learns from depth has had this frame even if the mask fails.
      (newDepth, seenArrivals) = (depth.held, depth.arrivalCount)
    }
    let input = MaskInput(
      frames: frames, picture: picture, newDepth: newDepth, mustRemake: isStale, depthFaces: depth.heldFaces,
      depth: depth.prepared)
    let start = ThreadTime.nanoseconds()
    defer { nanoseconds += ThreadTime.nanoseconds() - start + (meter?.takeCorrection() ?? 0) }
    do throws(RetakeError) {
      update = try stage.update(input, bands: bands)
      isStale = false
    } catch {
      failure = error
    }
  }
}
