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

  /// 255 where depth ≤ cutoff, else 0. Holes count as the person.
  package static func upTo(
    _ cutoffMillimeters: UInt16, depth: UnsafePointer<UInt16>, mask: UnsafeMutablePointer<UInt8>, count: Int,
    processor: Processor = .best
  ) {
    rtk_mask_up_to(processor.choice, depth, mask, count, cutoffMillimeters)
  }

  /// 255 where 0 < depth ≤ the pixel's own limit, `hole` where depth is 0, else 0.
  /// - Parameter limits: millimetres; 0 makes a pixel background.
  package static func nearerThanEach(
    _ limits: UnsafePointer<UInt16>, depth: UnsafePointer<UInt16>, hole: UInt8, mask: UnsafeMutablePointer<UInt8>,
    count: Int, processor: Processor = .best
  ) {
    rtk_mask_nearer_each(processor.choice, depth, limits, mask, count, hole)
  }

  /// Sets pixels of a kind to 255; the rest of the mask stays.
  package static func add(
    kind: UInt8, of kinds: UnsafePointer<UInt8>, to mask: UnsafeMutablePointer<UInt8>, count: Int,
    processor: Processor = .best
  ) {
    rtk_mask_add_kind(processor.choice, kinds, mask, count, kind)
  }
}
