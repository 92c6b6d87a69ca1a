import CKernels

/// Camera formats to packed RGB24.
///
/// What YUV means is a `ColorMatrix`, one for a stream. Chroma is not interpolated: each sample serves the pixels it was
/// taken for.
package enum ColorConversion {
  /// Rows of Y0 U Y1 V.
  package static func yuyv(
    _ source: UnsafePointer<UInt8>, _ matrix: ColorMatrix, width: Int, to target: UnsafeMutablePointer<UInt8>,
    rows: Range<Int>, processor: Processor = .best
  ) {
    let stride = (width + 1) / 2 * 4
    var table = matrix.table
    for y in rows {
      rtk_rgb_of_yuyv(processor.choice, &table, source + y * stride, target + y * width * 3, Int32(width))
    }
  }

  /// Luma, then rows of U V for two rows each.
  package static func nv12(
    _ source: UnsafePointer<UInt8>, _ matrix: ColorMatrix, width: Int, height: Int,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    let stride = (width + 1) / 2 * 2
    var table = matrix.table
    for y in rows {
      rtk_rgb_of_nv12(
        processor.choice, &table, source + y * stride, source + (height + y / 2) * stride, target + y * width * 3,
        Int32(width))
    }
  }

  package static func grey(
    _ source: UnsafePointer<UInt8>, width: Int, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    for i in rows.lowerBound * width..<rows.upperBound * width {
      let value = source[i]
      target[3 * i] = value
      target[3 * i + 1] = value
      target[3 * i + 2] = value
    }
  }

  /// Which colour a mosaic has at the top left corner, and so everywhere.
  package enum Mosaic: Sendable {
    case rggb, grbg, gbrg, bggr
    /// Where red lies in each square of two by two.
    @inline(__always)
    var red: (x: Int, y: Int) {
      switch self {
      case .rggb: (0, 0)
      case .grbg: (1, 0)
      case .gbrg: (0, 1)
      case .bggr: (1, 1)
      }
    }
  }

  /// Bilinear demosaicing: a missing colour is the mean, rounded to nearest, of its two or four nearest samples; beyond
  /// an edge the samples are mirrored, which keeps their colours.
  package static func bayer(
    _ source: UnsafePointer<UInt8>, _ mosaic: Mosaic, width: Int, height: Int,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    let red = mosaic.red
    func mirrored(_ y: Int) -> Int {
      if height == 1 { return 0 }
      return y < 0 ? -y : y >= height ? 2 * height - 2 - y : y
    }
    for y in rows {
      let isRedRow = y & 1 == red.y
      rtk_rgb_of_bayer(
        processor.choice, source + mirrored(y - 1) * width, source + y * width, source + mirrored(y + 1) * width,
        target + y * width * 3, Int32(width), isRedRow ? 1 : 0, Int32(isRedRow ? red.x : 1 - red.x))
    }
  }
}
