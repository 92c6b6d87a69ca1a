import CKernels

/// Image samples in rows padded to blocks of sixteen columns, with a flag per block: all zero, all
/// one or mixed. Later stages fill uniform blocks, which are most of a matte, without reading them.
package final class BlockPlane<Sample: FixedWidthInteger>: @unchecked Sendable {
  // Unchecked because of the pointers: kernels write disjoint rows, one stage after another.
  package static var blockWidth: Int { Int(RTKBlockWidth) }

  package let width: Int
  package let height: Int
  /// Samples from one row to the next.
  package let stride: Int
  package var samples: UnsafeMutablePointer<Sample> { memory.samples }
  private let memory: ZeroedMemory<Sample>
  package let blocks: UnsafeMutablePointer<UInt8>
  package let blockCount: Int

  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    let rowBlockCount = (width + Self.blockWidth - 1) / Self.blockWidth
    stride = rowBlockCount * Self.blockWidth
    blockCount = rowBlockCount * height
    memory = ZeroedMemory(count: stride * height)
    blocks = .allocate(capacity: blockCount)
    blocks.initialize(repeating: UInt8(RTKBlockZero), count: blockCount)
  }

  deinit {
    memory.deallocate()
    blocks.deallocate()
  }

  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { samples + y * stride }

  /// Whether a block's samples differ, and are written.
  package static func isMixed(_ block: UInt8) -> Bool { block == UInt8(RTKBlockMixed) }
}

/// A matte in progress: 0 ... 16320 (255 · 64), so a finished matte's step has 64 parts.
package typealias MatteSamples = BlockPlane<Int16>

extension MatteSamples {
  package static var one: Int16 { Int16(RTKMatteOne) }
}

/// A mask after its blur: 0 ... 2²⁴.
package typealias BlurredMask = BlockPlane<UInt32>
