import CKernels

/// Converts the depth filters' parameters to their kernels' fixed point.
package enum DepthShare {
  /// Clamped to 0 ... 1, with 12 fractional bits, rounded to nearest.
  package static func fixed(_ share: Double) -> Int32 {
    Int32((min(max(share, 0), 1) * Double(RTKDepthOne)).rounded(.toNearestOrAwayFromZero))
  }

  static func delta(_ millimeters: Int) -> Int32 { Int32(min(max(millimeters, 0), 1000)) }
}
