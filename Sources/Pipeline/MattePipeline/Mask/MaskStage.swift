import FrameModel
import Kernels
import Parameters
import Support

/// What a mask is made of.
struct MaskInput {
  let frames: FrameSet
  /// The colour frame as RGB.
  let picture: PixelPlane<UInt8>
  /// Depth that no mask was made of yet, as it came; nil where the last one holds. What learns looks at this alone.
  let newDepth: Frame?
  /// Whether the depth in force was prepared anew, so that a mask that holds is no longer its own.
  var mustRemake = false
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
  /// The last ones of kinds that were used before and are not used now.
  private var dormant: [any MaskSource] = []

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

  /// After a change of parameters: takes over what lasts from frame to frame and still fits, which is the face's distance,
  /// the plate, and what the network said last. The mask itself is made anew of these and of the depth in force. What
  /// another kind of mask remembers is kept for when that kind is used again.
  func carryOn(from old: MaskStage) {
    let before = old.dormant + old.parts
    for part in before { source.carryOn(from: part) }
    let kinds = parts.map { ObjectIdentifier(type(of: $0)) }
    dormant = before.filter { !kinds.contains(ObjectIdentifier(type(of: $0))) }
  }

  private var parts: [any MaskSource] { (source as? CombinedMask)?.parts ?? [source] }
}
