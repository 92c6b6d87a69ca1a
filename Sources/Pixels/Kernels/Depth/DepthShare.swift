import CKernels

/// Shares and steps of the depth filters, as their kernels take them.
enum DepthShare {
  /// 12 fractional bits, rounded to nearest.
  static func fixed(_ share: Double) -> Int32 {
    Int32((min(max(share, 0), 1) * Double(RTKDepthOne)).rounded(.toNearestOrAwayFromZero))
  }

  /// Millimetres that a kernel can take.
  static func delta(_ millimeters: Int) -> Int32 { Int32(min(max(millimeters, 0), 1000)) }

  /// before + share · (now − before), in 1/256 mm, rounded to nearest; halves go up.
  static func mix(_ before: Int, _ now: Int, share: Int32) -> Int {
    before + (((now - before) * Int(share) + Int(RTKDepthOne) / 2) >> 12)
  }

  static func millimeters(_ fraction: Int) -> UInt16 { UInt16((fraction + 128) >> 8) }
}
