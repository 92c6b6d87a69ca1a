import FrameModel
import Kernels
import Parameters

/// What a mask is made of.
struct MaskInput {
  let frames: FrameSet
  /// The colour frame as RGB.
  let picture: PixelPlane<UInt8>
  /// Depth that came with this frame, as it came; nil where the last one holds.
  let newDepth: Frame?
  /// Faces of the video frame that depth came with.
  let depthFaces: [FaceObservation]
  /// The depth in force; nil where there was none yet, or where none is needed.
  let depth: PreparedDepth?
}

/// What became of the mask with a frame.
enum MaskUpdate: Hashable {
  case new
  /// The last one holds.
  case held
  /// There is none for this frame.
  case missing
}

/// Makes the mask: which pixels are the person.
final class MaskStage {
  /// Holds until the next new one.
  let output: Mask
  private let source: any MaskSource

  var cutoffMillimeters: UInt16 { source.cutoffMillimeters }

  /// - Parameters:
  ///   - depth: how prepared depth lies over the video; nil where none is needed.
  ///   - segmenter: for masks by a network.
  /// - Throws: `.unsupported` for masks that what is there does not make.
  init(
    _ format: PipelineFormat, _ parameters: ParameterSet, depth: PlaneGeometry?, segmenter: (any PersonSegmenter)?,
    threadCount: Int, processor: Processor
  ) throws(RetakeError) {
    let maker = MaskSourceMaker(
      format: format, parameters: parameters, depth: depth, segmenter: segmenter, threadCount: threadCount,
      processor: processor)
    source = try maker.make()
    output = Mask(source.geometry, isSoft: source.isSoft)
  }

  func update(_ input: MaskInput, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    try source.update(input, into: output, bands: bands)
  }

  /// After a change of parameters: takes over what lasts from frame to frame and still fits, which is the face's distance
  /// and the plate. The mask itself is made anew of the depth in force.
  func carryOn(from old: MaskStage) {
    for part in (old.source as? CombinedMask)?.parts ?? [old.source] { source.carryOn(from: part) }
  }
}
