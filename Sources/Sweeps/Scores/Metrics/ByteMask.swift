/// A plane with 255 for each pixel that counts, and 0 elsewhere.
// Unchecked: the memory is written before the mask is shared.
final class ByteMask: @unchecked Sendable {
  let samples: UnsafeMutablePointer<UInt8>

  init(count: Int) {
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
  }

  deinit { samples.deallocate() }
}
