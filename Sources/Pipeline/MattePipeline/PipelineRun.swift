import FrameModel
import Kernels
import Parameters
import Support

/// A pipeline from `prepare` to `reset`: all memory, all stages, and all that lasts from frame to frame.
final class PipelineRun {
  private(set) var chain: StageChain
  private let maker: StageMaker
  private let bands: BandRunner
  private let color: SourceColor
  private var lookAhead: LookAhead
  private let isDelayed: Bool
  private var pool: CompositePool
  private var parameters: ParameterSet
  private var changes = ParameterChanges()
  /// The depth frame in force, and the faces of the video frame that it came with.
  private var heldDepth: Frame?
  private var heldFaces: [FaceObservation] = []
  /// Whether the depth stage, and then the mask stage, has had the depth in force.
  private var isDepthPrepared = false
  private var isDepthSeen = false
  /// Of the first masks that there were, or will be by a change that was accepted.
  private var maskSize: PlaneSize?
  /// Since the last output.
  private var changed: PipelineStages = []
  /// Stages that what holds has not passed through since a change of parameters.
  private var stale: PipelineStages = []

  init(_ maker: StageMaker, _ parameters: ParameterSet, heldOutputs: Int) throws(RetakeError) {
    self.maker = maker
    self.parameters = parameters
    chain = try maker.chain(parameters)
    bands = BandRunner(threadCount: maker.threadCount)
    color = try SourceColor(maker.format)
    let delay = parameters[PipelineParameters.lookAhead]
    lookAhead = LookAhead(frameCount: delay)
    isDelayed = delay > 0
    pool = CompositePool(maker.format.color, heldOutputs: heldOutputs)
    maskSize = (chain.mask?.output.geometry).map { PlaneSize(width: $0.width, height: $0.height) }
  }

  /// JPEG frames of colour that the decoder warned of.
  var flawedColorCount: Int { color.flawedCount }

  /// - Throws: `.usage` naming what cannot change; what `MaskStage` throws for masks that cannot be made.
  func change(to new: ParameterSet, at index: Int) throws(RetakeError) {
    try new.checkChange(from: parameters)
    let plan = try maker.plan(new)
    let isMaskTheSame =
      chain.mask != nil && plan.makesDepth == (chain.depth != nil)
      && !new.groupsThatDiffer(from: parameters).contains("mask")
    // Whether such masks can be made, and how large they are, only the stage knows.
    if plan.makesMask, !isMaskTheSame { try checkSize(of: try maker.maskStage(new, plan)) }
    changes.add(new, at: index)
  }

  /// Who takes masks has made room for those of the size that there was at first.
  private func checkSize(of mask: MaskStage) throws(RetakeError) {
    let geometry = mask.output.geometry
    let new = PlaneSize(width: geometry.width, height: geometry.height)
    let old = maskSize ?? new
    maskSize = old
    guard maker.wanted.contains(.mask), old != new else { return }
    throw RetakeError(
      .usage,
      "mask.kind cannot change while frames run to masks of \(new.width)x\(new.height), from "
        + "\(old.width)x\(old.height).",
      hint: "set it for the whole run, or leave the mask out of what is wanted")
  }

  func push(_ frames: FrameSet) throws(RetakeError) -> PipelineResult {
    try checkDepth(frames)
    try color.check(frames.color)
    guard let timed = lookAhead.push(frames) else { return .waiting }
    return try process(timed)
  }

  func drain() throws(RetakeError) -> PipelineResult {
    guard let timed = lookAhead.drain() else { return .waiting }
    return try process(timed)
  }

  private func checkDepth(_ frames: FrameSet) throws(RetakeError) {
    guard chain.depth != nil, let depth = frames.depth, !isWhole(depth) else { return }
    throw RetakeError(.corrupt, "Depth frame \(depth.number) is not whole, or of another format than its stream.")
  }

  private func isWhole(_ depth: Frame) -> Bool {
    guard let layout = maker.format.depth?.layout else { return false }
    return depth.layout == layout && depth.byteCount == layout.byteCount
  }

  private func process(_ timed: TimedFrames) throws(RetakeError) -> PipelineResult {
    let frames = timed.frames
    if let new = changes.due(at: frames.index) {
      try apply(new)
      changes.remove(upTo: frames.index)
    }
    // Depth and colour are looked at before anything is changed by them: a frame that is refused leaves no trace.
    try checkDepth(frames)
    do throws(RetakeError) {
      try color.convert(frames.color, bands: bands)
    } catch {
      // Behind look-ahead the depth whose turn it is came with another frame, which was whole.
      if isDelayed { holdDepth(timed) }
      throw error
    }
    let picture = color.output

    let isDepthNew = try prepareDepth(timed)
    let preparedDepth = heldDepth == nil ? nil : chain.depth?.output
    let update = try updateMask(
      MaskInput(
        frames: frames, picture: picture, newDepth: isDepthSeen || chain.depth == nil ? nil : heldDepth,
        mustRemake: stale.contains(.mask), depthFaces: heldFaces, depth: preparedDepth))
    if isDepthNew { changed.insert(.depth) }
    if update == .new { changed.insert(.mask) }
    let isMissing = update == .missing
    let mask = isMissing ? nil : chain.mask?.output.plane
    let matte = isMissing ? nil : chain.matte?.output

    var composite = picture
    if let stage = chain.composite {
      let plane = pool.free()
      composite = plane ?? pool.spare
      let isComposed = try stage.compose(
        CompositeInput(frames: frames, picture: picture, matte: matte, depth: preparedDepth), to: composite,
        bands: bands)
      guard isComposed else { return .skipped(.withoutMask) }
      guard plane != nil else { return .skipped(.allHeld) }
    }
    defer { changed = [] }
    return .output(
      PipelineOutput(
        index: frames.index, presentation: frames.color.timestamps.presentation, depthIsNew: isDepthNew,
        maskIsNew: update == .new, changed: changed, sourceColor: frames.color,
        sourceDepth: chain.depth == nil ? nil : heldDepth, cutoffMillimeters: chain.mask?.cutoffMillimeters ?? 0,
        original: picture, depth: preparedDepth?.millimeters, mask: mask, matte: matte, composite: composite))
  }

  private func apply(_ new: ParameterSet) throws(RetakeError) {
    chain = try maker.chain(new, from: chain)
    parameters = new
    stale.formUnion(chain.renewed)
  }

  private func holdDepth(_ timed: TimedFrames) {
    guard let came = timed.frames.depth, isWhole(came) else { return }
    (heldDepth, heldFaces) = (came, timed.depthFaces)
    (isDepthPrepared, isDepthSeen) = (false, false)
  }

  /// - Returns: whether depth is new, or is not what it was.
  private func prepareDepth(_ timed: TimedFrames) throws(RetakeError) -> Bool {
    holdDepth(timed)
    guard let stage = chain.depth, let depth = heldDepth else { return false }
    if !isDepthPrepared {
      try stage.prepare(depth, next: timed.nextDepth, bands: bands)
    } else if stale.contains(.depth) {
      try stage.renew(depth, next: timed.nextDepth, bands: bands)
    } else {
      return false
    }
    isDepthPrepared = true
    stale.remove(.depth)
    stale.insert(.mask)
    return true
  }

  private func updateMask(_ input: MaskInput) throws(RetakeError) -> MaskUpdate {
    guard let mask = chain.mask else { return .missing }
    // Whatever the mask throws, what learns has had it.
    isDepthSeen = isDepthSeen || input.newDepth != nil
    let update = try mask.update(input, bands: bands)
    stale.remove(.mask)
    let isRefined = update == .new || update == .held && stale.contains(.matte)
    if isRefined, let matte = chain.matte {
      matte.refine(mask.output, picture: input.picture, bands: bands)
      stale.remove(.matte)
      changed.insert(.matte)
    }
    return update
  }
}
