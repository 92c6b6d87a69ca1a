import Kernels
import Parameters

/// Turns a mask into a soft matte at the video's size (A.5).
package final class MatteStage {
  /// Valid until the next mask.
  package let output: PixelPlane<UInt8>
  private let takesSoftMask: Bool
  /// Nil if the caller passes blurred masks.
  private let blurring: MaskBlurring?
  private let bend: MatteBend
  private let scratch: MatteScratch
  private let threadCount: Int
  private let processor: Processor
  private let size: (width: Int, height: Int)
  private let smoothing: MatteSmoothing?
  private let scaling: MatteScaling
  private let guide: GuidedFilter?
  /// Nil without refinement.
  private let refinement: ColorRefinement.Make?
  private let still: StillSmoothing?
  /// CPU time of what other stages learned for this one.
  package private(set) var sharedNanoseconds = 0
  /// The matte at the mask's size before smoothing over time; nil before the first one, and where other stages use the
  /// scratch.
  private var latest: MatteSamples?

  /// - Parameters:
  ///   - mask: has the geometry and the softness of all masks to come.
  ///   - isGivenBlur: whether the caller passes each mask's result of `MaskBlurring`.
  ///   - scratch: of a stage that this one replaces, or of other stages.
  package init(
    _ mask: Mask, _ parameters: ParameterSet, isGivenBlur: Bool = false,
    scratch: MatteScratch = MatteScratch(), threadCount: Int, processor: Processor
  ) {
    let geometry = mask.geometry
    let (width, height) = (geometry.width, geometry.height)
    (self.scratch, self.threadCount, self.processor, size) = (scratch, threadCount, processor, (width, height))
    takesSoftMask = Self.takesSoftMask(parameters)
    blurring =
      isGivenBlur ? nil : MaskBlurring(geometry, parameters, threadCount: threadCount, processor: processor)
    bend = MatteBend(
      power: parameters[PipelineParameters.matte.gamma],
      feather: parameters[PipelineParameters.matte.feather], processor: processor)
    let weight = parameters[PipelineParameters.matte.temporalWeight]
    smoothing = parameters[PipelineParameters.matte.temporal].map {
      MatteSmoothing($0, weight: weight, width: width, height: height, processor: processor)
    }
    let kind = parameters[PipelineParameters.matte.scale]
    let (horizontal, vertical) = geometry.lines
    scaling = MatteScaling(
      horizontal: .shared(kind, horizontal), vertical: .shared(kind, vertical), threadCount: threadCount,
      processor: processor)
    let radius = parameters[PipelineParameters.matte.guidedRadius]
    let refines = parameters[PipelineParameters.matte.refine] == .color
    refinement = refines ? parameters.refinement(horizontal: horizontal, vertical: vertical) : nil
    guide =
      radius == 0 || refines
      ? nil
      : GuidedFilter(
        radius: radius, epsilon: parameters[PipelineParameters.matte.guidedEpsilon], horizontal: horizontal,
        vertical: vertical, threadCount: threadCount, processor: processor)
    let stillness = parameters[PipelineParameters.matte.still]
    still =
      stillness > 0
      ? StillSmoothing(
        weight: stillness, width: geometry.videoWidth, height: geometry.videoHeight, processor: processor) : nil
    output = PixelPlane(width: geometry.videoWidth, height: geometry.videoHeight)
    // Makes the scratch, if there is none, so that no frame does. A sweep's other threads make theirs with a matte.
    withSamples { _ in }
    if let refinement { withRefinement(refinement, nil) { _ in } } else { scratch.forgetRefinements() }
  }

  private func withSamples(_ body: (MatteSamples) -> Void) {
    let samples = scratch.takeSamples(width: size.width, height: size.height)
    body(samples)
    scratch.giveBack(samples)
  }

  private func withRefinement(
    _ make: ColorRefinement.Make, _ edge: MatteScratch.Edge?, _ body: (MatteScratch.Refinement) -> Void
  ) {
    let refinement = scratch.takeRefinement(make, edge: edge, threadCount: threadCount, processor: processor)
    body(refinement)
    scratch.giveBack(refinement)
  }

  /// Whether a soft mask goes to smoothing and scaling as it is.
  static func takesSoftMask(_ parameters: ParameterSet) -> Bool {
    MaskBlurring.isIdle(parameters) && parameters[PipelineParameters.matte.gamma] == 1
      && parameters[PipelineParameters.matte.feather] == .both
  }

  /// Whether a blurred mask becomes a matte in one pass: neither a next stage nor the next frame reads its samples.
  private var needsNoSamples: Bool {
    !takesSoftMask && scratch.isShared && scaling.isIdentity && smoothing == nil && refinement == nil && guide == nil
  }

  /// - Parameters:
  ///   - isNew: whether the mask was made from this picture.
  ///   - depth: that the mask was made from; nil if there is none.
  ///   - picture: the video frame as RGB, for what follows its edges.
  ///   - turn: another one for each picture, by which mattes of one mask share what it takes long to find; nil to share
  ///     nothing.
  package func refine(
    _ mask: Mask, isNew: Bool = false, turn: Int? = nil, blurred: BlurredMask? = nil, depth: PreparedDepth? = nil,
    picture: PixelPlane<UInt8>, bands: BandRunner
  ) {
    if let blurred, needsNoSamples {
      bands.run(rowCount: output.height) { rows in bend.apply(blurred, to: output.samples, rows: rows) }
    } else {
      makeMatte(mask, isNew: isNew, turn: turn, blurred, depth, picture, bands)
    }
    still?.apply(output, picture: picture, bands: bands)
  }

  private func makeMatte(
    _ mask: Mask, isNew: Bool, turn: Int?, _ blurred: BlurredMask?, _ depth: PreparedDepth?,
    _ picture: PixelPlane<UInt8>, _ bands: BandRunner
  ) {
    withSamples { samples in
      var matte = soften(mask, blurred, to: samples, bands: bands)
      latest = scratch.isShared ? nil : matte
      if let smoothing {
        smoothing.apply(matte, bands: bands)
        matte = smoothing.output
      }
      if let refinement {
        refine(matte, refinement, mask, isNew: isNew, turn: turn, depth, picture, bands)
      } else if let guide {
        guide.apply(matte, picture: picture, to: output, bands: bands)
      } else {
        bands.run(rowCount: output.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
          scaling.apply(matte, to: output.samples, rows: rows, thread: thread)
        }
      }
    }
  }

  private func refine(
    _ matte: MatteSamples, _ make: ColorRefinement.Make, _ mask: Mask, isNew: Bool, turn: Int?, _ depth: PreparedDepth?,
    _ picture: PixelPlane<UInt8>, _ bands: BandRunner
  ) {
    let depth = depth?.geometry == mask.geometry ? depth?.millimeters : nil
    let edge = turn.map { MatteScratch.Edge(mask: ObjectIdentifier(mask), turn: $0) }
    withRefinement(make, edge) { refinement in
      if edge != nil, refinement.edge == edge {
        sharedNanoseconds += refinement.nanoseconds
      } else {
        let start = scratch.clock.nanoseconds()
        refinement.filter.learn(
          mask.plane, depth: depth, empty: mask.emptyColors, picture: picture, reduced: isNew ? mask.colors : nil,
          bands: bands)
        (refinement.edge, refinement.nanoseconds) = (edge, scratch.clock.nanoseconds() - start)
      }
      refinement.filter.finish(matte, depth: depth, picture: picture, to: output, bands: bands)
    }
  }

  private func soften(
    _ mask: Mask, _ blurred: BlurredMask?, to softened: MatteSamples, bands: BandRunner
  ) -> MatteSamples {
    if takesSoftMask, let soft = mask.soft { return soft }
    if let blurring {
      blurring.apply(mask.plane, bend: bend, to: softened, bands: bands)
    } else if let blurred {
      bands.run(rowCount: blurred.height) { rows in bend.apply(blurred, to: softened, rows: rows) }
    } else {
      preconditionFailure("the blurred mask is neither made nor given")
    }
    return softened
  }

  package func restart() -> Bool {
    (latest, sharedNanoseconds) = (nil, 0)
    smoothing?.restart()
    return still == nil && guide == nil
  }

  /// After a change of parameters: keeps the last matte and the state of smoothing.
  package func carryOn(from old: MatteStage) {
    if old.output.width == output.width, old.output.height == output.height {
      output.samples.update(from: old.output.samples, count: output.count)
    }
    if let still, let before = old.still { still.carryOn(from: before) }
    if let smoothing {
      if let before = old.smoothing {
        smoothing.carryOn(from: before)
      } else if let before = old.latest {
        smoothing.carryOn(from: before)
      }
    }
  }
}

extension ParameterSet {
  fileprivate func refinement(horizontal: ScaleLine, vertical: ScaleLine) -> ColorRefinement.Make {
    ColorRefinement.Make(
      RefinementBelt.Reach(
        inside: self[PipelineParameters.matte.refineInside], outside: self[PipelineParameters.matte.refineOutside],
        holes: self[PipelineParameters.matte.refineHoles]),
      doubt: self[PipelineParameters.matte.refineDoubt], horizontal: horizontal, vertical: vertical)
  }

  /// Settings with equal texts and sizes share the memory of a refinement.
  package var refinementText: String {
    "\(self[PipelineParameters.matte.refineInside]) \(self[PipelineParameters.matte.refineOutside]) "
      + "\(self[PipelineParameters.matte.refineHoles]) \(self[PipelineParameters.matte.refineDoubt])"
  }
}
