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
  private let softened: MatteSamples
  private let smoothing: MatteSmoothing?
  private let scaling: MatteScaling
  private let guide: GuidedFilter?
  private let refinement: ColorRefinement?
  private let still: StillSmoothing?
  /// The matte at the mask's size before smoothing over time; nil before the first one.
  private var latest: MatteSamples?

  /// - Parameters:
  ///   - mask: has the geometry and the softness of all masks to come.
  ///   - isGivenBlur: whether the caller passes each mask's result of `MaskBlurring`.
  ///   - old: a stage that this one replaces. What is large and the same in both is taken from it: filling new memory
  ///     took half of the time of the next matte.
  package init(
    _ mask: Mask, _ parameters: ParameterSet, isGivenBlur: Bool = false, replacing old: MatteStage? = nil,
    threadCount: Int, processor: Processor
  ) {
    let geometry = mask.geometry
    let (width, height) = (geometry.width, geometry.height)
    takesSoftMask = Self.takesSoftMask(parameters)
    blurring =
      isGivenBlur ? nil : MaskBlurring(geometry, parameters, threadCount: threadCount, processor: processor)
    bend = MatteBend(
      power: parameters[PipelineParameters.matte.gamma],
      feather: parameters[PipelineParameters.matte.feather], processor: processor)
    softened = MatteSamples(width: width, height: height)
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
    if refines {
      let make = ColorRefinement.Make(
        RefinementBelt.Reach(
          inside: parameters[PipelineParameters.matte.refineInside],
          outside: parameters[PipelineParameters.matte.refineOutside],
          holes: parameters[PipelineParameters.matte.refineHoles]),
        doubt: parameters[PipelineParameters.matte.refineDoubt], horizontal: horizontal, vertical: vertical)
      let before = old?.refinement.flatMap { $0.make == make ? $0 : nil }
      refinement = before ?? ColorRefinement(make, threadCount: threadCount, processor: processor)
    } else {
      refinement = nil
    }
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
  }

  /// Whether a soft mask goes to smoothing and scaling as it is.
  static func takesSoftMask(_ parameters: ParameterSet) -> Bool {
    MaskBlurring.isIdle(parameters) && parameters[PipelineParameters.matte.gamma] == 1
      && parameters[PipelineParameters.matte.feather] == .both
  }

  /// - Parameters:
  ///   - isNew: whether the mask was made from this picture.
  ///   - depth: that the mask was made from; nil if there is none.
  ///   - picture: the video frame as RGB, for what follows its edges.
  package func refine(
    _ mask: Mask, isNew: Bool = false, blurred: BlurredMask? = nil, depth: PreparedDepth? = nil,
    picture: PixelPlane<UInt8>, bands: BandRunner
  ) {
    var matte = soften(mask, blurred, bands: bands)
    latest = matte
    if let smoothing {
      smoothing.apply(matte, bands: bands)
      matte = smoothing.output
    }
    if let refinement {
      let isAligned = depth?.geometry == mask.geometry
      refinement.apply(
        mask.plane, plain: matte, depth: isAligned ? depth?.millimeters : nil, empty: mask.emptyColors,
        picture: picture, reduced: isNew ? mask.colors : nil, to: output, bands: bands)
    } else if let guide {
      guide.apply(matte, picture: picture, to: output, bands: bands)
    } else {
      bands.run(rowCount: output.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
        scaling.apply(matte, to: output.samples, rows: rows, thread: thread)
      }
    }
    still?.apply(output, picture: picture, bands: bands)
  }

  private func soften(_ mask: Mask, _ blurred: BlurredMask?, bands: BandRunner) -> MatteSamples {
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
    latest = nil
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
