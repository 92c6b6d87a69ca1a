import CKernels

/// A matte on its way from mask to picture: 0 ... 16320, which is 255 · 64, so that a finished matte's steps have 64 parts.
///
/// Rows are padded to whole blocks of sixteen columns, and for each block it is known whether it is all 0 or all one: the
/// stages that follow fill such blocks, which are most of a matte.
package final class MatteSamples: @unchecked Sendable {
  // Unchecked because of the pointers: kernels write disjoint rows, one stage after the other.
  package static let one = Int16(RTKMatteOne)
  package static let blockWidth = Int(RTKBlockWidth)

  package let width: Int
  package let height: Int
  /// Samples from one row to the next.
  package let stride: Int
  package let samples: UnsafeMutablePointer<Int16>
  let blocks: UnsafeMutablePointer<UInt8>

  /// All zero.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    let blockCount = (width + Self.blockWidth - 1) / Self.blockWidth
    stride = blockCount * Self.blockWidth
    samples = UnsafeMutableRawPointer.allocate(byteCount: 2 * stride * height, alignment: 64)
      .initializeMemory(as: Int16.self, repeating: 0, count: stride * height)
    blocks = .allocate(capacity: blockCount * height)
    blocks.initialize(repeating: UInt8(RTKBlockZero), count: blockCount * height)
  }

  deinit {
    UnsafeMutableRawPointer(samples).deallocate()
    blocks.deallocate()
  }

  package func row(_ y: Int) -> UnsafeMutablePointer<Int16> { samples + y * stride }
}
