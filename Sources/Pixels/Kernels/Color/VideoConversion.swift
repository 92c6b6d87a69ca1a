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
  /// - Parameter target: `yuyvByteCount` bytes.
  package static func yuyv(
    _ rgb: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, width: Int, height: Int,
    processor: Processor = .best
  ) {
    rtk_rgb_to_yuyv(processor.choice, rgb, target, Int32(width), Int32(height))
  }

  package static func yuyvByteCount(width: Int, height: Int) -> Int { (width + 1) / 2 * 4 * height }

  /// - Parameter doublings: 0 for one pixel; 1 for the sums of two pixels, which are averaged.
  package static func reference(
    _ r: Int, _ g: Int, _ b: Int, doublings: Int = 0
  ) -> (luma: UInt8, blue: UInt8, red: UInt8) {
    let shift = 16 + doublings
    let half = 1 << (shift - 1)
    let y = (16_829 * r + 33_039 * g + 6_416 * b + half) >> shift + 16
    let u = (-9_714 * r - 19_071 * g + 28_785 * b + half) >> shift + 128
    let v = (28_784 * r - 24_103 * g - 4_681 * b + half) >> shift + 128
    return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: u), UInt8(truncatingIfNeeded: v))
  }
}
