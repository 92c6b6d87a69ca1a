import FrameModel

extension ColorConversion {
  /// Rows of any format with rows of pixels to packed RGB24: all but JPEG, depth and motion. What is RGB24 is copied.
  /// - Parameters:
  ///   - source: a whole packed frame of that layout.
  ///   - matrix: what its YUV means; other formats are taken as they are.
  ///   - target: the whole picture; only `rows` of it are written.
  package static func convert(
    _ source: UnsafePointer<UInt8>, _ layout: FrameLayout, _ matrix: ColorMatrix,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    let (width, height) = (layout.width, layout.height)
    switch layout.format {
    case .yuyv: yuyv(source, matrix, width: width, to: target, rows: rows, processor: processor)
    case .nv12: nv12(source, matrix, width: width, height: height, to: target, rows: rows, processor: processor)
    case .grey8: grey(source, width: width, to: target, rows: rows)
    case .bayerRGGB8: bayer(source, .rggb, width: width, height: height, to: target, rows: rows, processor: processor)
    case .bayerGRBG8: bayer(source, .grbg, width: width, height: height, to: target, rows: rows, processor: processor)
    case .bayerGBRG8: bayer(source, .gbrg, width: width, height: height, to: target, rows: rows, processor: processor)
    case .bayerBGGR8: bayer(source, .bggr, width: width, height: height, to: target, rows: rows, processor: processor)
    default:
      let start = rows.lowerBound * width * 3
      (target + start).update(from: source + start, count: rows.count * width * 3)
    }
  }
}
