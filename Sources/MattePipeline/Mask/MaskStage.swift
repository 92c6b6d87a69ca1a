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
enum MaskUpdate {
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
    if parameters[PipelineParameters.maskKind] == MaskKind.segmentation.rawValue, let segmenter {
      source = try SegmentationMask(segmenter, format, parameters)
      output = Mask(source.geometry, isSoft: source.isSoft)
      return
    }
    guard let depth else {
      throw RetakeError(.unsupported, "There is no depth to make a mask of.", hint: "set another mask.kind")
    }
    source = FaceMask(depth, format, parameters, processor: processor)
    output = Mask(source.geometry, isSoft: source.isSoft)
  }

  func update(_ input: MaskInput, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    try source.update(input, into: output, bands: bands)
  }
}
