import FrameModel
import Kernels
import Pictures

/// Brings colour frames of any format to RGB24.
struct SourceColor {
  let output: PixelPlane<UInt8>
  private let layout: FrameLayout
  private let matrix: ColorMatrix

  init(_ format: PipelineFormat) {
    layout = format.color
    matrix = format.colorMatrix
    output = PixelPlane(width: format.color.width, height: format.color.height, channels: 3)
  }

  /// - Throws: `.corrupt` for a frame that is not whole.
  func convert(_ frame: Frame, bands: BandRunner) throws(RetakeError) {
    let bytes = frame.bytes
    guard frame.layout == layout, layout.format == .jpeg || bytes.count == layout.byteCount else {
      throw RetakeError(.corrupt, "Colour frame \(frame.number) is not whole, or of another format than its stream.")
    }
    if layout.format == .jpeg {
      return try JPEGDecoder.decodeRGB(
        bytes, width: output.width, height: output.height, into: output.samples,
        name: "Colour frame \(frame.number)")
    }
    let source = bytes.bindMemory(to: UInt8.self).baseAddress!
    let target = output.samples
    bands.run(rowCount: output.height) { rows in
      ColorConversion.convert(source, layout, matrix, to: target, rows: rows)
    }
  }
}
