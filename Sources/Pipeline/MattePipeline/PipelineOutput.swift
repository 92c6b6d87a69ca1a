import FrameModel
import Kernels

/// What the pipeline made of one frame set.
///
/// The composite stays as it is for as long as anybody holds the output, or the plane itself: as many at once as the
/// pipeline was prepared for. The other planes belong to the pipeline and hold until its next frame.
package struct PipelineOutput {
  package let index: Int
  package let presentation: PresentationTime
  /// Whether the depth plane is of this frame: depth came with it, or a change of parameters had the depth in force
  /// prepared again. Otherwise the last one holds.
  package let depthIsNew: Bool
  /// Whether mask and matte are of this frame, or the last ones held.
  package let maskIsNew: Bool
  /// Which of depth, mask and matte are others than the output before had, be it that a frame between them was left out, or
  /// that parameters changed; those that one of the two outputs lacks are not told.
  package let changed: PipelineStages
  /// What came in, as it came.
  package let sourceColor: Frame
  /// The depth frame in force; nil where none was needed, or none came yet.
  package let sourceDepth: Frame?
  /// 0 where no distance decides.
  package let cutoffMillimeters: UInt16

  /// Packed RGB at the video's size.
  package let original: PixelPlane<UInt8>
  /// Millimetres at the prepared depth map's size, 0 = hole.
  package let depth: PixelPlane<UInt16>?
  /// 0 ... 255 at the mask's size.
  package let mask: PixelPlane<UInt8>?
  /// 0 ... 255 at the video's size.
  package let matte: PixelPlane<UInt8>?
  /// Packed RGB at the video's size; the original where no composite is wanted.
  package let composite: PixelPlane<UInt8>
}

/// Pictures that the pipeline makes of a frame, in the order in which it makes them.
///
/// A program says which it wants, and stages that lead to none of them do no work: where the original alone is shown,
/// depth is not even looked at (C.13).
package struct PipelineStages: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Always made.
  package static let original = PipelineStages(rawValue: 1)
  package static let depth = PipelineStages(rawValue: 2)
  package static let mask = PipelineStages(rawValue: 4)
  package static let matte = PipelineStages(rawValue: 8)
  package static let composite = PipelineStages(rawValue: 16)
  package static let all: PipelineStages = [.original, .depth, .mask, .matte, .composite]
}

/// What became of a frame set.
package enum PipelineResult {
  case output(PipelineOutput)
  /// The frame is left out.
  case skipped(PipelineSkip)
  /// Nothing yet: look-ahead waits for more frames; or, at the end, nothing is left.
  case waiting

  package var output: PipelineOutput? {
    if case .output(let output) = self { return output }
    return nil
  }
}

/// Why a frame gives no output.
package enum PipelineSkip: Hashable, Sendable {
  /// It has no mask, no depth or no colour to show.
  case withoutMask
  /// The caller holds all composites that the pipeline was prepared with. Later frames are what they would have been.
  case allHeld
}

/// How many frame sets came to which end since the pipeline was prepared.
package struct PipelineCounts: Hashable, Sendable {
  package var outputs = 0
  package var withoutMask = 0
  package var allHeld = 0
  /// Frames that were not whole, or whose background or network could not be read.
  package var failed = 0

  package init(outputs: Int = 0, withoutMask: Int = 0, allHeld: Int = 0, failed: Int = 0) {
    self.outputs = outputs
    self.withoutMask = withoutMask
    self.allHeld = allHeld
    self.failed = failed
  }
}

/// Width and height, pixels.
package struct PlaneSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension PlaneGeometry {
  var size: PlaneSize { PlaneSize(width: width, height: height) }
}

/// How large the planes of a pipeline's output are.
package struct PipelineSizes: Hashable, Sendable {
  package let video: PlaneSize
  /// Of prepared depth; nil where the pipeline makes none. Likewise the mask.
  package let depth: PlaneSize?
  package let mask: PlaneSize?
}
