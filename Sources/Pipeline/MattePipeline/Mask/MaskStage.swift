import FrameModel
import Kernels
import Parameters
import Support

package struct MaskInput {
  package let frames: FrameSet
  /// The colour frame as RGB.
  package let picture: PixelPlane<UInt8>
  /// Raw depth that no mask was made of yet, for masks that learn; nil if the last one holds.
  package let newDepth: Frame?
  /// Whether the current depth was prepared again, which makes the last mask stale.
  package var mustRemake = false
  /// Depth frames that have come, with the current one.
  package let depthCount: Int
  /// The faces of the video frame that this depth came with.
  package let depthFaces: [FaceObservation]
  /// The current depth; nil before the first depth frame, or where none is needed.
  package let depth: PreparedDepth?

  package init(
    frames: FrameSet, picture: PixelPlane<UInt8>, newDepth: Frame?, mustRemake: Bool = false, depthCount: Int = 0,
    depthFaces: [FaceObservation], depth: PreparedDepth?
  ) {
    (self.frames, self.picture, self.newDepth, self.mustRemake) = (frames, picture, newDepth, mustRemake)
    (self.depthCount, self.depthFaces, self.depth) = (depthCount, depthFaces, depth)
  }
}

package enum MaskUpdate: Hashable {
  case new
  case held
  case missing
}

package final class MaskStage {
  /// Valid until the next new mask.
  package let output: Mask
  private let source: any MaskSource
  private let cleaning: MaskCleaning?
  /// The last source of each kind that was used before and is not used now.
  private var dormant: [any MaskSource] = []

  package var cutoffMillimeters: UInt16 { source.cutoffMillimeters }
  var changedWhileLearning: Double { parts.map(\.changedWhileLearning).max() ?? 0 }
  var plate: PlateMask? { parts.lazy.compactMap { $0 as? PlateMask }.first }

  /// - Throws: `.unsupported` for masks that need depth or a network where there is none, or whose scene
  ///   is of another size.
  package init(
    _ format: PipelineFormat, _ parameters: ParameterSet, depth: PlaneGeometry?, segmenter: (any PersonSegmenter)?,
    scene: EmptyScene? = nil, threadCount: Int, processor: Processor
  ) throws(RetakeError) {
    let maker = MaskSourceMaker(
      format: format, parameters: parameters, depth: depth, segmenter: segmenter, scene: scene,
      threadCount: threadCount, processor: processor)
    source = try maker.make()
    output = Mask(source.geometry, isSoft: source.isSoft)
    // Pieces of a soft mask have no outline.
    cleaning = source.isSoft ? nil : MaskCleaning(source.geometry, parameters)
  }

  package func update(_ input: MaskInput, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    let update = try source.update(input, into: output, bands: bands)
    if update == .new {
      cleaning?.apply(
        output.plane, input, moved: output.moved, hasRoom: !source.leavesOutRoom, fills: !source.hasFilledGaps)
    }
    return update
  }

  package func restart() -> Bool { dormant.isEmpty && source.restart() }

  /// After a change of parameters: takes over the face's distance, the plate and the network's last
  /// answer, if they still fit. State of other kinds of masks waits until they are used again.
  package func carryOn(from old: MaskStage) {
    let before = old.dormant + old.parts
    for part in before { source.carryOn(from: part) }
    let kinds = parts.map { ObjectIdentifier(type(of: $0)) }
    dormant = before.filter { !kinds.contains(ObjectIdentifier(type(of: $0))) }
  }

  private var parts: [any MaskSource] { (source as? CombinedMask)?.parts ?? [source] }
}
