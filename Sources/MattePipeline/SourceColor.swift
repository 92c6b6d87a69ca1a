import FrameModel
import Kernels
import Pictures

/// Brings colour frames of any format to RGB24.
struct SourceColor {
  let output: PixelPlane<UInt8>
  private let layout: FrameLayout

  init(_ format: PipelineFormat) {
    layout = format.color
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
    let (width, height) = (output.width, output.height)
    bands.run(rowCount: height) { rows in
      switch layout.format {
      case .yuyv: ColorConversion.yuyv(source, width: width, to: target, rows: rows)
      case .nv12: ColorConversion.nv12(source, width: width, height: height, to: target, rows: rows)
      case .grey8: ColorConversion.grey(source, width: width, to: target, rows: rows)
      case .bayerRGGB8: Self.bayer(source, .rggb, width, height, target, rows)
      case .bayerGRBG8: Self.bayer(source, .grbg, width, height, target, rows)
      case .bayerGBRG8: Self.bayer(source, .gbrg, width, height, target, rows)
      case .bayerBGGR8: Self.bayer(source, .bggr, width, height, target, rows)
      default:
        let start = rows.lowerBound * width * 3
        (target + start).update(from: source + start, count: rows.count * width * 3)
      }
    }
  }

  private static func bayer(
    _ source: UnsafePointer<UInt8>, _ mosaic: ColorConversion.Mosaic, _ width: Int, _ height: Int,
    _ target: UnsafeMutablePointer<UInt8>, _ rows: Range<Int>
  ) {
    ColorConversion.bayer(source, mosaic, width: width, height: height, to: target, rows: rows)
  }
}
