import CKernels

/// Converts depth to a binary mask.
package enum MaskThreshold {
  /// 255 where 0 < depth ≤ cutoff, else 0. Holes count as background.
  package static func nearerThan(
    _ cutoffMillimeters: UInt16, depth: UnsafePointer<UInt16>, mask: UnsafeMutablePointer<UInt8>, count: Int,
    processor: Processor = .best
  ) {
    rtk_mask_nearer(processor.choice, depth, mask, count, cutoffMillimeters)
  }

  package static func nearerThanReference(_ cutoffMillimeters: UInt16, depth: UInt16) -> UInt8 {
    depth > 0 && depth <= cutoffMillimeters ? 255 : 0
  }
}
