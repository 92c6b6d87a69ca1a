import FrameModel
import Kernels
import Media
import Support

/// Converts colour frames to RGB24. Packed RGB24 is used in place, without a copy.
struct SourceColor {
  let output: PixelPlane<UInt8>
  private let layout: FrameLayout
  private let matrix: ColorMatrix
  /// For JPEG streams only.
  private let decoder: JPEGDecoder?
  private let isShownWhereItLies: Bool

  init(_ format: PipelineFormat) throws(RetakeError) {
    layout = format.color
    matrix = format.colorMatrix
    isShownWhereItLies = layout.format == .rgb24 && layout.isPacked
    let (width, height) = (layout.width, layout.height)
    output =
      isShownWhereItLies
      ? .forShowing(width: width, height: height, channels: 3) : PixelPlane(width: width, height: height, channels: 3)
    decoder = layout.format == .jpeg ? try JPEGDecoder() : nil
  }

  /// JPEG frames with decoder warnings.
  var flawedCount: Int { decoder?.flawedCount ?? 0 }

  /// Checks what can be checked without decoding.
  /// - Throws: `.corrupt` for a frame that is not whole.
  func check(_ frame: Frame) throws(RetakeError) {
    try frame.check(layout, "Colour")
  }

  /// The output is valid until the next frame.
  /// - Throws: `.corrupt` for a frame that is not whole.
  func convert(_ frame: Frame, bands: BandRunner) throws(RetakeError) {
    try check(frame)
    if isShownWhereItLies { return output.show(frame.buffer) }
    let bytes = frame.bytes
    if let decoder {
      return try decoder.decodeRGB(
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
