import FrameModel
import Kernels
import MattePipeline

/// A tap's picture as packed RGB: the pipeline's own plane where possible, black without the tap.
final class TapPicture {
  let size: PictureSize
  private let tap: Tap
  private let drawn: PixelPlane<UInt8>
  private(set) var hasShown = false

  init(_ tap: Tap, _ sizes: PipelineSizes) {
    self.tap = tap
    size = tap.size(sizes)
    drawn = PixelPlane(width: size.width, height: size.height, channels: 3)
  }

  /// - Returns: packed RGB of `size`, valid until the next call or the pipeline's next frame.
  func plane(of output: PipelineOutput) -> PixelPlane<UInt8> {
    if !tap.isMissing(in: output) { hasShown = true }
    switch tap {
    case .composite: return output.composite
    case .original: return output.original
    case .depth, .mask, .matte:
      tap.draw(output, size, into: drawn.samples)
      return drawn
    }
  }
}
