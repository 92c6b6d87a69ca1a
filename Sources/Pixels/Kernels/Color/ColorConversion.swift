import CKernels
import FrameModel

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

  /// Bilinear demosaicing: a missing colour is the mean of its two or four nearest samples, rounded
  /// to nearest. Edges are mirrored, which preserves the pattern.
  /// - Parameter format: a Bayer mosaic.
  package static func bayer(
    _ source: UnsafePointer<UInt8>, _ format: PixelFormat, width: Int, height: Int,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    // The position of red within each 2 × 2 square.
    let red =
      switch format {
      case .bayerRGGB8: (x: 0, y: 0)
      case .bayerGRBG8: (x: 1, y: 0)
      case .bayerGBRG8: (x: 0, y: 1)
      default: (x: 1, y: 1)
      }
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
