import FrameModel
import Kernels
import Parameters
import Support

struct MaskSourceMaker {
  let format: PipelineFormat
  let parameters: ParameterSet
  /// Of prepared depth; nil if there is none.
  let depth: PlaneGeometry?
  let segmenter: (any PersonSegmenter)?
  let scene: EmptyScene?
  let threadCount: Int
  let processor: Processor

  /// - Throws: `.unsupported` for masks that need depth or a network where there is none, or whose scene
  ///   is of another size.
  func make() throws(RetakeError) -> any MaskSource {
    let (kind, second) = (PipelineParameters.mask.kind, PipelineParameters.mask.second)
    guard let secondKind = parameters[second] else {
      return try make(parameters[kind], chosenBy: kind.declaration, other: nil)
    }
    // A mask of everything takes the other mask's size.
    if secondKind == .all {
      let first = try make(parameters[kind], chosenBy: kind.declaration, other: nil)
      return combine(first, AllMask(first.geometry))
    }
    let other = try make(secondKind, chosenBy: second.declaration, other: nil)
    return combine(try make(parameters[kind], chosenBy: kind.declaration, other: other), other)
  }

  private func combine(_ first: any MaskSource, _ second: any MaskSource) -> any MaskSource {
    CombinedMask(first, second, parameters, threadCount: threadCount, processor: processor)
  }

  private func make(
    _ kind: MaskKind, chosenBy declaration: ParameterDeclaration, other: (any MaskSource)?
  ) throws(RetakeError) -> any MaskSource {
    switch kind {
    case .all: return AllMask(other?.geometry ?? depth ?? wholeVideo)
    case .segmentation: return try segmentation()
    case .outside: return try outside(declaration.name)
    default: break
    }
    guard let depth else {
      throw RetakeError(
        .unsupported, "The mask needs depth, but there is none.", hint: PipelineNeeds.withoutDepthHint)
    }
    switch kind {
    case .cutoff: return CutoffMask(depth, parameters, processor: processor)
    case .highPass, .sharpHighPass, .bandPass:
      return PassMask(kind, depth, format, parameters, processor: processor)
    case .plate:
      return try PlateMask(depth, parameters, scene: scene, threadCount: threadCount, processor: processor)
    default:
      let face = FaceMask(depth, format, parameters, threadCount: threadCount, processor: processor)
      guard parameters[PipelineParameters.mask.emptyStart] else { return face }
      let plate = try PlateMask(depth, parameters, scene: nil, threadCount: threadCount, processor: processor)
      return EmptyStartMask(face, plate)
    }
  }

  private func outside(_ name: String) throws(RetakeError) -> any MaskSource {
    guard let stage = parameters.outsideStage(chosenBy: name), let maker = stage.maker as? any OutsideMaskMaker else {
      preconditionFailure("\(name) is neither built in nor a mask of another program")
    }
    return try OutsideMaskSource(
      stage, try maker.make(video: wholeVideo.size, depth: depth?.size, parameters), wholeVideo, depth: depth)
  }

  private var wholeVideo: PlaneGeometry {
    let (width, height) = (format.color.width, format.color.height)
    return PlaneGeometry(stretchedWidth: width, stretchedHeight: height, videoWidth: width, videoHeight: height)
  }

  private func segmentation() throws(RetakeError) -> any MaskSource {
    guard let segmenter else {
      throw RetakeError(
        .unsupported, "The mask needs a segmentation network, but none is given.",
        hint: "give an ONNX file with --set mask.model=FILE.onnx; Retake does not include one")
    }
    return try SegmentationMask(segmenter, format, parameters)
  }
}
