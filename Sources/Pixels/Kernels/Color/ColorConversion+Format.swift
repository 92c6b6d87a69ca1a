import FrameModel

extension ColorConversion {
  /// Converts rows of a frame to packed RGB24; RGB24 is copied. Not for JPEG, depth, motion or
  /// 16-bit grey. `source` and `target` are whole packed pictures;
  /// only `rows` are converted.
  package static func convert(
    _ source: UnsafePointer<UInt8>, _ layout: FrameLayout, _ matrix: ColorMatrix,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    let (width, height) = (layout.width, layout.height)
    switch layout.format {
    case .yuyv: yuyv(source, matrix, width: width, to: target, rows: rows, processor: processor)
    case .nv12: nv12(source, matrix, width: width, height: height, to: target, rows: rows, processor: processor)
    case .grey8: grey(source, width: width, to: target, rows: rows)
    case .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8:
      bayer(source, layout.format, width: width, height: height, to: target, rows: rows, processor: processor)
    case .rgb24:
      let start = rows.lowerBound * width * 3
      (target + start).update(from: source + start, count: rows.count * width * 3)
    case .grey16, .jpeg, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion:
      preconditionFailure("\(layout.format.rawValue) is no colour")
    }
  }
}
