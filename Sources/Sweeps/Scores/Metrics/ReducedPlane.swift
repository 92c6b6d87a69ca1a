import CKernels

/// A quarter of a plane's size each way, of means of 4 x 4 pixels, rounded to nearest. What is left over at the right and below
/// is not in it; of a plane narrower or lower than four pixels, nothing is.
// Unchecked, because it is written by the initializer and by nothing after it.
package final class ReducedPlane: @unchecked Sendable {
  package let width: Int
  package let height: Int
  let samples: UnsafeMutablePointer<UInt8>

  package init(_ plane: BytePlane, _ processor: RTKProcessor = rtk_processor()) {
    width = plane.width / 4
    height = plane.height / 4
    samples = .allocate(capacity: max(1, width * height))
    samples.initialize(repeating: 0, count: max(1, width * height))
    rtk_reduce_by_four(processor, plane.samples, samples, Int32(plane.width), Int32(plane.height))
  }

  deinit { samples.deallocate() }

  var count: Int { width * height }
}
