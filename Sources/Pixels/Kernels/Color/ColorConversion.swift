import CKernels

/// Converts camera formats to packed RGB24. Chroma is not interpolated: each sample applies to all
/// pixels it covers.
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

  /// A luma plane, then rows of interleaved U V, each for two rows of pixels.
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

  /// Bayer patterns, named by the colours of the top left 2 × 2 pixels, row by row.
  package enum Mosaic: Sendable {
    case rggb, grbg, gbrg, bggr
    /// Position of red within each 2 × 2 square.
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

  /// Bilinear demosaicing: a missing colour is the mean of its two or four nearest samples, rounded
  /// to nearest. Edges are mirrored, which preserves the pattern.
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
