import FrameModel
import Kernels
import Parameters
import Support

package struct CompositeInput {
  let frames: FrameSet
  /// The video frame as RGB.
  let picture: PixelPlane<UInt8>
  /// Nil if the composite needs no matte, or the frame has none.
  let matte: PixelPlane<UInt8>?
  /// The current depth; nil before the first depth frame, or if none is needed.
  let depth: PreparedDepth?

  package init(frames: FrameSet, picture: PixelPlane<UInt8>, matte: PixelPlane<UInt8>?, depth: PreparedDepth?) {
    (self.frames, self.picture, self.matte, self.depth) = (frames, picture, matte, depth)
  }
}

/// Makes the picture that the user sees; Compositing.md describes the steps.
package final class CompositeStage {
  private let kind: CompositeKind
  private let filter: VideoFilter
  private let despill: Despill?
  private let behind: Behind
  private let foreground: ForegroundColors?
  private let blend: PersonBlend
  private let blur: VariableBlur?
  private let lightWrap: LightWrap?
  private let depthMix: DepthMix?
  /// The depth range of the last mix, for when mixing is switched on again.
  private var keptRange = DepthGrey()
  /// Whether a frame without a mask, a face colour or depth shows the video.
  private let showsVideoWithoutMask: Bool
  /// The video after its filter; nil without a filter.
  private let filtered: PixelPlane<UInt8>?
  /// The same after despill; nil without despill.
  private let person: PixelPlane<UInt8>?
  /// The same with the person's own colours at soft edges; nil if they are not estimated.
  private let estimated: PixelPlane<UInt8>?

  package init(
    _ format: PipelineFormat, _ parameters: ParameterSet, depth: PlaneGeometry?,
    background: (any BackgroundSource)?, threadCount: Int, processor: Processor
  ) {
    let (width, height) = (format.color.width, format.color.height)
    kind = parameters[PipelineParameters.composite.kind]
    filter = VideoFilter(format, parameters, threadCount: threadCount, processor: processor)
    despill = Despill(parameters, processor: processor)
    behind = Behind(
      kind, format, parameters, background: background, threadCount: threadCount, processor: processor)
    blend = PersonBlend(parameters, processor: processor)
    let estimates = parameters[PipelineParameters.composite.foreground] == .estimate && kind.needsMask && kind != .blur
    foreground = estimates ? ForegroundColors(width: width, height: height, processor: processor) : nil
    estimated = estimates ? PixelPlane(width: width, height: height, channels: 3) : nil
    blur =
      kind == .blur
      ? VariableBlur(
        radius: Double(parameters[PipelineParameters.composite.blurRadius]), width: width, height: height,
        threadCount: threadCount, processor: processor) : nil
    let wrap = parameters[PipelineParameters.composite.lightWrap]
    lightWrap =
      wrap > 0 && kind.needsMask && kind != .blur
      ? LightWrap(
        amount: wrap, radius: Double(parameters[PipelineParameters.composite.lightWrapRadius]), width: width,
        height: height,
        threadCount: threadCount, processor: processor) : nil
    depthMix = DepthMix(parameters, depth: depth, threadCount: threadCount, processor: processor)
    showsVideoWithoutMask = parameters[PipelineParameters.composite.withoutMask] == .video
    filtered = filter.kind == .none ? nil : PixelPlane(width: width, height: height, channels: 3)
    person = despill == nil ? nil : PixelPlane(width: width, height: height, channels: 3)
  }

  /// After a change of parameters: keeps the background, the face's colour and the depth range.
  package func carryOn(from old: CompositeStage) {
    behind.carryOn(from: old.behind)
    keptRange = old.depthMix?.range ?? old.keptRange
    depthMix?.range = keptRange
  }

  /// - Parameter composite: packed RGB at the video's size.
  /// - Returns: false for a frame that is skipped.
  package func compose(_ input: CompositeInput, to composite: PixelPlane<UInt8>, bands: BandRunner) throws(RetakeError)
    -> Bool
  {
    behind.notice(input.frames)
    depthMix?.notice(input.depth)
    guard try composePerson(input, to: composite, bands: bands) else { return false }
    guard let depthMix else { return true }
    guard let depth = input.depth else { return showsVideoWithoutMask }
    depthMix.apply(depth, to: composite, bands: bands)
    return true
  }

  private func composePerson(
    _ input: CompositeInput, to composite: PixelPlane<UInt8>, bands: BandRunner
  ) throws(RetakeError) -> Bool {
    guard kind.needsMask else {
      filter.apply(input.picture, to: composite, bands: bands)
      return true
    }
    if let filtered { filter.apply(input.picture, to: filtered, bands: bands) }
    let picture = filtered ?? input.picture
    let answer = try behind.draw(input.frames, picture: picture, matte: input.matte, bands: bands)
    if kind != .blur, case .video = answer {
      filter.apply(input.picture, to: composite, bands: bands)
      return true
    }
    guard let matte = input.matte else { return showWithoutMask(input.picture, to: composite, bands: bands) }
    switch answer {
    case .missing:
      return showWithoutMask(input.picture, to: composite, bands: bands)
    case .video:
      let foreground = takeSpillOff(picture, bands: bands)
      blur?.apply(foreground.samples, matte: matte.samples, to: composite.samples, bands: bands)
    case .picture(let background):
      let person = ownColors(takeSpillOff(picture, bands: bands), matte, bands: bands)
      blend.apply(person, over: background, matte: matte, to: composite, bands: bands)
      lightWrap?.apply(background: background.samples, matte: matte.samples, to: composite.samples, bands: bands)
    }
    return true
  }

  private func takeSpillOff(_ picture: PixelPlane<UInt8>, bands: BandRunner) -> PixelPlane<UInt8> {
    guard let despill, let person else { return picture }
    despill.apply(picture, to: person, bands: bands)
    return person
  }

  private func ownColors(
    _ picture: PixelPlane<UInt8>, _ matte: PixelPlane<UInt8>, bands: BandRunner
  ) -> PixelPlane<UInt8> {
    guard let foreground, let estimated else { return picture }
    foreground.apply(picture, matte: matte, to: estimated, bands: bands)
    return estimated
  }

  private func showWithoutMask(
    _ picture: PixelPlane<UInt8>, to composite: PixelPlane<UInt8>, bands: BandRunner
  ) -> Bool {
    if showsVideoWithoutMask { filter.apply(picture, to: composite, bands: bands) }
    return showsVideoWithoutMask
  }
}
