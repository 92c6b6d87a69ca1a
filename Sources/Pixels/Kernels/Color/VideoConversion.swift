import CKernels

/// Converts packed RGB to BT.601 in limited range, as players and video devices expect.
///
/// For R, G, B in 0 ... 1, Y = 16 + 65.481 R + 128.553 G + 24.966 B, and Cb and Cr likewise (ITU-R
/// BT.601, 8 bits), with 16 fractional bits, rounded to nearest.
package enum VideoConversion {
  /// - Parameter count: pixels, and samples in each plane.
  package static func planes(
    _ rgb: UnsafePointer<UInt8>, luma: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
    red: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
  ) {
    rtk_rgb_to_planes(processor.choice, rgb, luma, blue, red, count)
  }

  /// Rows of Y0 Cb Y1 Cr. Two pixels share their mean's chroma; an odd row's last pixel stands
  /// alone.
  /// - Parameter target: (width + 1) / 2 · 4 bytes for each row.
  package static func yuyv(
    _ rgb: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, width: Int, height: Int,
    processor: Processor = .best
  ) {
    rtk_rgb_to_yuyv(processor.choice, rgb, target, Int32(width), Int32(height))
  }
}
