import CKernels

/// A plane reduced to a quarter of its width and height: means of 4 x 4 pixels, rounded to nearest.
/// Remaining columns and rows at the right and bottom are left out, so planes less than four pixels
/// wide or high become empty.
// Unchecked: the memory is written by the initializer only.
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
