import Kernels
import Parameters

/// Holds the blurred mask that several mattes are made from.
final class BlurNode {
  private let blurring: MaskBlurring
  private let mask: MaskNode
  private let clock: StageClock
  private let memory: BlurMemory?
  private let text: String
  /// Valid until the next mask.
  let output: BlurredMask
  /// CPU time of all frames.
  private(set) var nanoseconds = 0

  /// - Parameter text: of the parameters that `blurring` has, see `ParameterSet.blurText`.
  init(_ blurring: MaskBlurring, _ text: String, of mask: MaskNode, _ geometry: PlaneGeometry, _ maker: StageMaker) {
    (self.blurring, self.text, self.mask, clock, memory) = (blurring, text, mask, maker.clock, maker.blurs)
    output = BlurredMask(width: geometry.width, height: geometry.height)
  }

  /// Keeps nothing between masks.
  func restart() { nanoseconds = 0 }

  func take(bands: BandRunner) {
    guard mask.update == .new, let mask = mask.mask else { return }
    let start = clock.nanoseconds()
    if let memory {
      memory.recall(mask.plane, text, to: output) { blurring.apply(mask.plane, to: output, bands: bands) }
    } else {
      blurring.apply(mask.plane, to: output, bands: bands)
    }
    nanoseconds += clock.nanoseconds() - start
  }
}

/// Holds a matte until a frame makes a new one.
final class MatteNode {
  let mask: MaskNode
  private let blur: BlurNode?
  private let clock: StageClock
  private var slot = StageSlot<MatteStage, Mask.Shape>("matte")
  private var isStale = false
  private(set) var isNew = false
  private var ownNanoseconds = 0

  /// - Parameter blur: nil if the stage blurs the mask itself, which is faster for one matte.
  init(of mask: MaskNode, _ blur: BlurNode? = nil, _ clock: StageClock) {
    (self.mask, self.blur, self.clock) = (mask, blur, clock)
  }

  var stage: MatteStage? { slot.stage }
  var matte: PixelPlane<UInt8>? { mask.mask == nil ? nil : stage?.output }
  var nanoseconds: Int { ownNanoseconds + (stage?.sharedNanoseconds ?? 0) + (blur?.nanoseconds ?? 0) }

  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) {
    guard plan.makesMatte, let mask = mask.stage?.output else { return slot.deactivate() }
    let isReplaced = slot.activate(parameters, mask.shape) {
      maker.matteStage(mask, parameters, isGivenBlur: blur != nil)
    }
    if isReplaced { isStale = true }
  }

  /// Forgets all frames. The mask's node is first.
  func restart(_ maker: StageMaker) {
    guard let mask = mask.stage?.output else { return }
    slot.restart { parameters in maker.matteStage(mask, parameters, isGivenBlur: blur != nil) }
    (isStale, isNew, ownNanoseconds) = (true, false, 0)
  }

  func take(picture: PixelPlane<UInt8>, turn: Int, bands: BandRunner) {
    isNew = false
    guard let stage, let newMask = mask.mask, mask.update == .new || isStale else { return }
    let start = clock.nanoseconds()
    stage.refine(
      newMask, isNew: mask.update == .new, turn: turn, blurred: blur?.output, depth: mask.depth.prepared,
      picture: picture, bands: bands)
    ownNanoseconds += clock.nanoseconds() - start
    (isNew, isStale) = (true, false)
  }
}
