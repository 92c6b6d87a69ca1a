import FrameModel
import Kernels

/// Brings depth frames of any format to UInt16 millimetres, 0 = hole, at the depth map's own size.
struct DepthPreparation {
  let output: PixelPlane<UInt16>
  private let layout: FrameLayout

  init(_ format: PipelineFormat) {
    layout = format.depth
    output = PixelPlane(width: format.depth.width, height: format.depth.height)
  }

  /// - Throws: `.corrupt` for a frame that is not whole.
  func prepare(_ frame: Frame, bands: BandRunner) throws(RetakeError) {
    let bytes = frame.bytes
    guard frame.layout == layout, bytes.count == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is not whole, or of another format than its stream.")
    }
    let width = output.width
    bands.run(rowCount: output.height) { rows in
      let start = rows.lowerBound * width
      let samples = start..<start + rows.count * width
      DepthUnits.convert(bytes, layout.format, to: output.samples + start, samples: samples)
    }
  }
}
