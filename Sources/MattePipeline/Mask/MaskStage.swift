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
  private var cutoff: FaceCutoff
  private let processor: Processor
  private var hasMask = false

  /// What is nearer or as near is the person; 0 where no distance decides.
  var cutoffMillimeters: UInt16 { cutoff.millimeters }

  /// - Parameters:
  ///   - depth: how prepared depth lies over the video; nil where the stream has none.
  ///   - segmenter: for masks by a network.
  init(
    _ format: PipelineFormat, _ parameters: ParameterSet, depth: PlaneGeometry?, segmenter: (any PersonSegmenter)?,
    threadCount: Int, processor: Processor
  ) {
    self.processor = processor
    let geometry =
      depth
      ?? PlaneGeometry(
        stretchedWidth: format.color.width, stretchedHeight: format.color.height, videoWidth: format.color.width,
        videoHeight: format.color.height)
    cutoff = FaceCutoff(parameters, startsFromDisparity: format.depth?.layout.format == .disparityFloat32)
    output = Mask(geometry, isSoft: false)
  }

  func update(_ input: MaskInput, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    guard input.newDepth != nil, let depth = input.depth else { return hasMask ? .held : .missing }
    cutoff.update(faces: input.depthFaces, depth: depth)
    let (limit, mask, millimeters) = (cutoff.millimeters, output.plane, depth.millimeters)
    bands.run(rowCount: mask.height) { rows in
      MaskThreshold.nearerThan(
        limit, depth: millimeters.row(rows.lowerBound), mask: mask.row(rows.lowerBound),
        count: rows.count * mask.width, processor: processor)
    }
    hasMask = true
    return .new
  }
}
