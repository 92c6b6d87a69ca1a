import FrameModel
import Kernels
import Parameters
import Support

/// Holds the depth frame in force between deliveries, and prepares it for the masks that are made
/// from it.
final class DepthNode {
  private var slot = StageSlot<DepthStage, DepthExtras>("depth")
  /// The depth frame in force, and the faces of the video frame that it came with.
  private(set) var held: Frame?
  private(set) var heldFaces: [FaceObservation] = []
  /// Number of depth frames that arrived; tells a mask whether it has seen the current one.
  private(set) var arrivalCount = 0
  private var isPrepared = false
  private var isStale = false
  /// Whether this frame set changed the prepared depth.
  private(set) var isNew = false
  var failure: RetakeError?
  private let clock: StageClock
  private(set) var nanoseconds = 0

  init(_ clock: StageClock) { self.clock = clock }

  var stage: DepthStage? { slot.stage }
  /// Nil before the first depth frame, and if no depth is needed.
  var prepared: PreparedDepth? { held == nil ? nil : stage?.output }

  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) {
    guard plan.makesDepth, let depth = maker.format.depth else { return slot.deactivate() }
    let isReplaced = slot.activate(parameters, plan.depthExtras) { maker.depthStage(depth, parameters, plan) }
    if isReplaced { isStale = true }
  }

  /// Forgets all frames.
  func restart(_ maker: StageMaker) throws(RetakeError) {
    try slot.restart { parameters throws(RetakeError) in
      guard let depth = maker.format.depth else { preconditionFailure("there is no depth to prepare") }
      return maker.depthStage(depth, parameters, try maker.plan(parameters))
    }
    (held, heldFaces, arrivalCount) = (nil, [], 0)
    (isPrepared, isStale, isNew) = (false, true, false)
    (failure, nanoseconds) = (nil, 0)
  }

  func hold(_ depth: Frame, faces: [FaceObservation]) {
    (held, heldFaces) = (depth, faces)
    isPrepared = false
    arrivalCount += 1
  }

  /// - Parameter next: the depth frame that follows, where look-ahead has it.
  func prepare(next: Frame?, bands: BandRunner) {
    isNew = false
    guard failure == nil, let stage, let held, !isPrepared || isStale else { return }
    let start = clock.nanoseconds()
    defer { nanoseconds += clock.nanoseconds() - start }
    do throws(RetakeError) {
      if isPrepared {
        try stage.renew(held, next: next, bands: bands)
      } else {
        try stage.prepare(held, next: next, bands: bands)
      }
      (isPrepared, isStale, isNew) = (true, false, true)
    } catch {
      failure = error
    }
  }
}
