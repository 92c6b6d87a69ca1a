import FrameModel
import Kernels
import Parameters
import Support

/// Depth that settings have in common, and the masks that are made of it.
final class SharedDepth {
  let stage: DepthStage?
  /// The depth frame in force, and the faces of the video frame that it came with.
  private(set) var held: Frame?
  private(set) var heldFaces: [FaceObservation] = []
  private var isPrepared = false
  /// Counts depth frames that came: a mask that saw fewer has not seen this one.
  private(set) var arrivalCount = 0
  private(set) var isNew = false
  private(set) var failure: RetakeError?
  /// CPU time of all frames.
  private(set) var nanoseconds = 0

  init(_ stage: DepthStage?) { self.stage = stage }

  var prepared: PreparedDepth? { held == nil ? nil : stage?.output }

  func take(_ timed: TimedFrames, bands: BandRunner) {
    isNew = false
    guard failure == nil else { return }
    if let came = timed.frames.depth {
      (held, heldFaces) = (came, timed.depthFaces)
      isPrepared = false
      arrivalCount += 1
    }
    guard let stage, let held, !isPrepared else { return }
    let start = ThreadTime.nanoseconds()
    defer { nanoseconds += ThreadTime.nanoseconds() - start }
    do throws(RetakeError) {
      try stage.prepare(held, next: timed.nextDepth, bands: bands)
      (isPrepared, isNew) = (true, true)
    } catch {
      failure = error
    }
  }
}

/// A mask that settings have in common.
final class SharedMask {
  let depth: SharedDepth
  let stage: MaskStage?
  private(set) var update = MaskUpdate.missing
  private(set) var failure: RetakeError?
  private var seenArrivals = 0
  private let meter: MeteredSegmenter?
  /// CPU time of all frames, with the network's whether it was asked for this mask or for another.
  private(set) var nanoseconds = 0

  init(_ stage: MaskStage?, of depth: SharedDepth, meter: MeteredSegmenter?) {
    self.stage = stage
    self.depth = depth
    self.meter = meter
  }

  /// Where it is one that mattes have not seen.
  var newMask: Mask? { failure == nil && update == .new ? stage?.output : nil }

  func take(_ frames: FrameSet, picture: PixelPlane<UInt8>, bands: BandRunner) {
    guard failure == nil, let stage else { return }
    failure = depth.failure
    guard failure == nil else { return }
    let isSeen = depth.stage == nil || seenArrivals == depth.arrivalCount
    seenArrivals = depth.arrivalCount
    let input = MaskInput(
      frames: frames, picture: picture, newDepth: isSeen ? nil : depth.held, mustRemake: depth.isNew,
      depthFaces: depth.heldFaces, depth: depth.prepared)
    let start = ThreadTime.nanoseconds()
    defer { nanoseconds += ThreadTime.nanoseconds() - start + (meter?.takeCorrection() ?? 0) }
    do throws(RetakeError) {
      update = try stage.update(input, bands: bands)
    } catch {
      failure = error
    }
  }
}

/// A blurred mask that settings have in common.
final class SharedBlur {
  private let blurring: MaskBlurring
  private let mask: SharedMask
  /// Holds until the next mask.
  let output: BlurredMask
  /// CPU time of all frames.
  private(set) var nanoseconds = 0

  init(_ blurring: MaskBlurring, of mask: SharedMask, _ geometry: PlaneGeometry) {
    self.blurring = blurring
    self.mask = mask
    output = BlurredMask(width: geometry.width, height: geometry.height)
  }

  func take(bands: BandRunner) {
    guard let mask = mask.newMask else { return }
    let start = ThreadTime.nanoseconds()
    blurring.apply(mask.plane, to: output, bands: bands)
    nanoseconds += ThreadTime.nanoseconds() - start
  }
}

/// A matte that settings have in common.
final class SharedMatte {
  let mask: SharedMask
  private let blur: SharedBlur?
  let stage: MatteStage?
  private(set) var isNew = false
  private var ownNanoseconds = 0

  init(_ stage: MatteStage?, of mask: SharedMask, _ blur: SharedBlur?) {
    self.stage = stage
    self.mask = mask
    self.blur = blur
  }

  /// CPU time of all frames, with that of the blur.
  var nanoseconds: Int { ownNanoseconds + (blur?.nanoseconds ?? 0) }

  func take(picture: PixelPlane<UInt8>, bands: BandRunner) {
    isNew = false
    guard let stage, let mask = mask.newMask else { return }
    let start = ThreadTime.nanoseconds()
    stage.refine(mask, blurred: blur?.output, picture: picture, bands: bands)
    ownNanoseconds += ThreadTime.nanoseconds() - start
    isNew = true
  }
}

/// A composite, and the settings whose it is.
final class SharedComposite {
  let matte: SharedMatte
  let stage: CompositeStage?
  private let plane: PixelPlane<UInt8>?
  /// Since the last output.
  private var changed: PipelineStages = []
  private var ownFailure: RetakeError?
  private(set) var output: PipelineOutput?

  init(_ stage: CompositeStage?, of matte: SharedMatte, _ video: FrameLayout) {
    self.stage = stage
    self.matte = matte
    plane = stage.map { _ in PixelPlane(width: video.width, height: video.height, channels: 3) }
  }

  var failure: RetakeError? { ownFailure ?? matte.mask.failure ?? matte.mask.depth.failure }

  func take(_ frames: FrameSet, picture: PixelPlane<UInt8>, bands: BandRunner) {
    output = nil
    guard failure == nil else { return }
    let (mask, depth) = (matte.mask, matte.mask.depth)
    let isMissing = mask.stage == nil || mask.update == .missing
    if depth.isNew { changed.insert(.depth) }
    if mask.stage != nil && mask.update == .new { changed.insert(.mask) }
    if matte.isNew { changed.insert(.matte) }
    let maskPlane = isMissing ? nil : mask.stage?.output.plane
    let mattePlane = isMissing ? nil : matte.stage?.output
    var composite = picture
    if let stage, let plane {
      composite = plane
      let input = CompositeInput(frames: frames, picture: picture, matte: mattePlane, depth: depth.prepared)
      do throws(RetakeError) {
        guard try stage.compose(input, to: plane, bands: bands) else { return }
      } catch {
        ownFailure = error
        return
      }
    }
    output = PipelineOutput(
      index: frames.index, presentation: frames.color.timestamps.presentation, depthIsNew: depth.isNew,
      maskIsNew: mask.stage != nil && mask.update == .new, changed: changed, sourceColor: frames.color,
      sourceDepth: depth.stage == nil ? nil : depth.held, cutoffMillimeters: mask.stage?.cutoffMillimeters ?? 0,
      original: picture, depth: depth.prepared?.millimeters, mask: maskPlane, matte: mattePlane, composite: composite)
    changed = []
  }
}
