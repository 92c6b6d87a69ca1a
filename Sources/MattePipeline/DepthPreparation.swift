import FrameModel
import Kernels

/// Brings depth frames of any format to UInt16 millimetres, 0 = hole, at the depth map's own size, seen from the colour
/// camera where the pipeline's format says so.
struct DepthPreparation {
  let output: PixelPlane<UInt16>
  private let layout: FrameLayout
  private let converter: DepthConverter

  init(_ format: PipelineFormat) {
    layout = format.depth
    converter = format.depthConverter
    output = PixelPlane(width: format.depth.width, height: format.depth.height)
  }

  /// - Throws: `.corrupt` for a frame that is not whole.
  func prepare(_ frame: Frame, bands: BandRunner) throws(RetakeError) {
    let bytes = frame.bytes
    guard frame.layout == layout, bytes.count == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is not whole, or of another format than its stream.")
    }
    converter.convert(bytes, to: output.samples, bands: bands)
  }
}
