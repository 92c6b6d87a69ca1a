import Kernels

extension VideoConversion {
  /// - Parameter doublings: 0 for one pixel; 1 for the sums of two pixels, which are averaged.
  static func reference(
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
