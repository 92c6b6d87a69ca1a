import FrameModel
import Kernels

/// The pipeline's output for one frame set.
///
/// The composite stays valid while the output or the plane is held, for as many outputs as prepared
/// for. The other planes are valid until the pipeline's next frame.
package struct PipelineOutput {
  package let index: Int
  package let presentation: PresentationTime
  /// Whether the depth plane was prepared for this frame, from a new depth frame or after a
  /// parameter change. Otherwise the previous one is held.
  package let depthIsNew: Bool
  /// Whether mask and matte were made from this frame; otherwise the previous ones are held.
  package let maskIsNew: Bool
  /// Which of depth, mask and matte differ from those of the previous output, whether by a skipped
  /// frame in between or by a parameter change. Planes missing in either output are not reported.
  package let changed: PipelineStages
  package let sourceColor: Frame
  /// The depth frame in force; nil if none is needed or none has arrived.
  package let sourceDepth: Frame?
  /// The cut-off distance of the mask; 0 if the mask does not use one.
  package let cutoffMillimeters: UInt16

  /// Packed RGB at the video's size.
  package let original: PixelPlane<UInt8>
  /// Millimetres at the prepared depth map's size, 0 = hole.
  package let depth: PixelPlane<UInt16>?
  /// 0 ... 255 at the mask's size.
  package let mask: PixelPlane<UInt8>?
  /// 0 ... 255 at the video's size.
  package let matte: PixelPlane<UInt8>?
  /// Packed RGB at the video's size; equals `original` if no composite is wanted.
  package let composite: PixelPlane<UInt8>
}

/// Pictures that the pipeline makes of a frame, in order.
///
/// Stages needed for no wanted picture do no work; unneeded depth is not even checked (C.13).
package struct PipelineStages: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let original = PipelineStages(rawValue: 1)
  package static let depth = PipelineStages(rawValue: 2)
  package static let mask = PipelineStages(rawValue: 4)
  package static let matte = PipelineStages(rawValue: 8)
  package static let composite = PipelineStages(rawValue: 16)
  package static let all: PipelineStages = [.original, .depth, .mask, .matte, .composite]
}

/// What the pipeline has of a frame set that it skips for want of a mask. Planes are valid until its next frame.
package struct UnmaskedPictures {
  package let index: Int
  package let original: PixelPlane<UInt8>
  package let depth: PixelPlane<UInt16>?
  package let depthIsNew: Bool

  package init(index: Int, original: PixelPlane<UInt8>, depth: PixelPlane<UInt16>?, depthIsNew: Bool) {
    (self.index, self.original, self.depth, self.depthIsNew) = (index, original, depth, depthIsNew)
  }
}

package enum PipelineResult {
  case output(PipelineOutput)
  case skipped(PipelineSkip)
  /// Nothing yet, since look-ahead waits for more frames; or nothing is left at the end.
  case waiting

  package var output: PipelineOutput? {
    if case .output(let output) = self { return output }
    return nil
  }
}

package enum PipelineSkip: Hashable, Sendable {
  /// The frame has no mask, no depth or no colour to show.
  case withoutMask
  /// The caller holds all prepared composites. Later frames are not affected.
  case allHeld
}

/// Results since the pipeline was prepared, in frame sets.
package struct PipelineCounts: Hashable, Sendable {
  package var outputs = 0
  package var withoutMask = 0
  package var allHeld = 0
  /// Incomplete frames, and frames whose background or network failed.
  package var failed = 0

  package init(outputs: Int = 0, withoutMask: Int = 0, allHeld: Int = 0, failed: Int = 0) {
    self.outputs = outputs
    self.withoutMask = withoutMask
    self.allHeld = allHeld
    self.failed = failed
  }
}

extension PlaneGeometry {
  var size: PictureSize { PictureSize(width, height) }
}

package struct PipelineSizes: Hashable, Sendable {
  package let video: PictureSize
  /// Nil if the pipeline makes no depth or mask, respectively.
  package let depth: PictureSize?
  package let mask: PictureSize?
}
