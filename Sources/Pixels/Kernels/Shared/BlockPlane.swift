import CKernels

/// Samples of an image whose rows are padded to whole blocks of sixteen columns. For each block it is known whether it is all 0 or
/// all one: the stages that follow fill such blocks, which are most of a matte.
package final class BlockPlane<Sample: FixedWidthInteger>: @unchecked Sendable {
  // Unchecked because of the pointers: kernels write disjoint rows, one stage after the other.
  package static var blockWidth: Int { Int(RTKBlockWidth) }

  package let width: Int
  package let height: Int
  /// Samples from one row to the next.
  package let stride: Int
  package let samples: UnsafeMutablePointer<Sample>
  let blocks: UnsafeMutablePointer<UInt8>

  /// All zero.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    let blockCount = (width + Self.blockWidth - 1) / Self.blockWidth
    stride = blockCount * Self.blockWidth
    samples = ZeroedMemory.allocate(stride * height, alignment: 64)
    blocks = .allocate(capacity: blockCount * height)
    blocks.initialize(repeating: UInt8(RTKBlockZero), count: blockCount * height)
  }

  deinit {
    UnsafeMutableRawPointer(samples).deallocate()
    blocks.deallocate()
  }

  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { samples + y * stride }
}

/// A matte on its way from mask to picture: 0 ... 16320, which is 255 · 64, so that a finished matte's steps have 64 parts.
package typealias MatteSamples = BlockPlane<Int16>

extension MatteSamples {
  package static var one: Int16 { Int16(RTKMatteOne) }
}

/// A mask after its blur: 0 ... 2²⁴.
package typealias BlurredMask = BlockPlane<UInt32>
