import CKernels

/// Converts the depth filters' parameters to their kernels' fixed point.
enum DepthShare {
  /// Clamped to 0 ... 1, with 12 fractional bits, rounded to nearest.
  static func fixed(_ share: Double) -> Int32 {
    Int32((min(max(share, 0), 1) * Double(RTKDepthOne)).rounded(.toNearestOrAwayFromZero))
  }

  static func delta(_ millimeters: Int) -> Int32 { Int32(min(max(millimeters, 0), 1000)) }

  /// before + share · (now − before) in 1/256 mm, rounded to nearest, halves up.
  static func mix(_ before: Int, _ now: Int, share: Int32) -> Int {
    before + (((now - before) * Int(share) + Int(RTKDepthOne) / 2) >> 12)
  }

  static func millimeters(_ fraction: Int) -> UInt16 { UInt16((fraction + 128) >> 8) }
}
