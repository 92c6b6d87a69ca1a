import CKernels

/// A plane with 255 for each pixel that counts, and 0 elsewhere.
// Unchecked: the memory is written before the mask is shared.
final class ByteMask: @unchecked Sendable {
  let samples: UnsafeMutablePointer<UInt8>

  init(count: Int) {
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
  }

  /// The number of pixels that count.
  func count(width: Int, height: Int, _ processor: RTKProcessor) -> Int {
    var sum: Int64 = 0
    rtk_box_sum(processor, samples, width, Int32(width), Int32(height), &sum)
    return Int(sum) / 255
  }

  deinit { samples.deallocate() }
}
