/// Depth to a binary mask.
package enum MaskThreshold {
  /// 255 where 0 < depth ≤ cutoff, else 0: a hole is background.
  /// - Parameters:
  ///   - depth: millimetres, `count` of them.
  ///   - cutoffMillimeters: 0 makes everything background.
  package static func nearerThan(
    _ cutoffMillimeters: UInt16, depth: UnsafePointer<UInt16>, mask: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    // With wrap-around subtraction a hole becomes 65535, so one comparison does both. A cutoff of 0 leaves none.
    guard cutoffMillimeters > 0 else {
      mask.update(repeating: 0, count: count)
      return
    }
    let limit = cutoffMillimeters - 1
    for i in 0..<count { mask[i] = depth[i] &- 1 <= limit ? 255 : 0 }
  }

  /// The rule as it is written; what the kernel is tested against.
  package static func nearerThanReference(_ cutoffMillimeters: UInt16, depth: UInt16) -> UInt8 {
    depth > 0 && depth <= cutoffMillimeters ? 255 : 0
  }
}
