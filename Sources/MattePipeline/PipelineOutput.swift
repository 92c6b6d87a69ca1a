import FrameModel
import Kernels

/// What the pipeline made of one frame set. The planes belong to the pipeline: they hold until its next frame, and the
/// composite as long as one of the buffers that the pipeline was prepared with is left for it.
package struct PipelineOutput {
  package let index: Int
  package let presentation: PresentationTime
  /// Whether depth came with this frame, or the last depth held.
  package let depthIsNew: Bool
  /// Whether mask and matte are of this frame, or the last ones held.
  package let maskIsNew: Bool
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
  /// Packed RGB at the video's size.
  package let composite: PixelPlane<UInt8>
}

/// What became of a frame set.
package enum PipelineResult {
  case output(PipelineOutput)
  /// The frame has no mask, no depth or no colour to show and is left out.
  case skipped
  /// Nothing yet: look-ahead waits for more frames; or, at the end, nothing is left.
  case waiting

  package var output: PipelineOutput? {
    if case .output(let output) = self { return output }
    return nil
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

/// How large the planes of a pipeline's output are.
package struct PipelineSizes: Hashable, Sendable {
  package let video: PlaneSize
  /// Of prepared depth; nil where the pipeline makes none. Likewise the mask.
  package let depth: PlaneSize?
  package let mask: PlaneSize?
}
