import FrameModel
import Kernels
import Parameters
import Support

/// Holds the blurred mask that several mattes are made from.
final class BlurNode {
  private let blurring: MaskBlurring
  private let mask: MaskNode
  /// Valid until the next mask.
  let output: BlurredMask
  /// CPU time of all frames.
  private(set) var nanoseconds = 0

  init(_ blurring: MaskBlurring, of mask: MaskNode, _ geometry: PlaneGeometry) {
    self.blurring = blurring
    self.mask = mask
    output = BlurredMask(width: geometry.width, height: geometry.height)
  }

  func take(bands: BandRunner) {
    guard mask.update == .new, let mask = mask.mask else { return }
    let start = ThreadTime.nanoseconds()
    blurring.apply(mask.plane, to: output, bands: bands)
    nanoseconds += ThreadTime.nanoseconds() - start
  }
}

/// Holds a matte until a frame makes a new one.
final class MatteNode {
  let mask: MaskNode
  private let blur: BlurNode?
  private var slot = StageSlot<MatteStage, Mask.Shape>("matte")
  private var isStale = false
  private(set) var isNew = false
  private var ownNanoseconds = 0

  /// - Parameter blur: nil if the stage blurs the mask itself, which is faster for one matte.
  init(of mask: MaskNode, _ blur: BlurNode? = nil) {
    self.mask = mask
    self.blur = blur
  }

  var stage: MatteStage? { slot.stage }
  var matte: PixelPlane<UInt8>? { mask.mask == nil ? nil : stage?.output }
  var nanoseconds: Int { ownNanoseconds + (blur?.nanoseconds ?? 0) }

  func update(_ parameters: ParameterSet, _ plan: StagePlan, _ maker: StageMaker) {
    guard plan.makesMatte, let mask = mask.stage?.output else { return slot.deactivate() }
    let isReplaced = slot.activate(parameters, mask.shape) {
      maker.matteStage(mask, parameters, isGivenBlur: blur != nil)
    }
    if isReplaced { isStale = true }
  }

  func take(picture: PixelPlane<UInt8>, bands: BandRunner) {
    isNew = false
    guard let stage, let newMask = mask.mask, mask.update == .new || isStale else { return }
    let start = ThreadTime.nanoseconds()
    stage.refine(
      newMask, isNew: mask.update == .new, blurred: blur?.output, depth: mask.depth.prepared, picture: picture,
      bands: bands)
    ownNanoseconds += ThreadTime.nanoseconds() - start
    (isNew, isStale) = (true, false)
  }
}
