import Glibc
import Kernels

/// A blurred mask without the samples of its uniform blocks, which are most.
struct PackedBlur: @unchecked Sendable {
  // Unchecked because of the pointers in `Place`: `init` writes there before the value is shared.
  private let place: Place

  private static let sampleByteCount = BlurredMask.blockWidth * MemoryLayout<UInt32>.stride

  static func byteCount(_ mask: BlurredMask) -> Int {
    let kinds = UnsafeBufferPointer(start: mask.blocks, count: mask.blockCount)
    return aligned(kinds.count) + kinds.count(where: BlurredMask.isMixed) * sampleByteCount
  }

  /// - Parameter place: of `byteCount(mask)`.
  init(_ mask: BlurredMask, _ place: Place) {
    self.place = place
    place.start.copyMemory(from: mask.blocks, byteCount: mask.blockCount)
    var next = place.start + Self.aligned(mask.blockCount)
    for block in 0..<mask.blockCount where BlurredMask.isMixed(mask.blocks[block]) {
      next.copyMemory(from: mask.samples + block * BlurredMask.blockWidth, byteCount: Self.sampleByteCount)
      next += Self.sampleByteCount
    }
  }

  /// - Parameter mask: of the same size.
  func unpack(to mask: BlurredMask) {
    mask.blocks.update(
      from: place.start.assumingMemoryBound(to: UInt8.self), count: mask.blockCount)
    var next = UnsafeRawPointer(place.start + Self.aligned(mask.blockCount))
    for block in 0..<mask.blockCount where BlurredMask.isMixed(mask.blocks[block]) {
      UnsafeMutableRawPointer(mask.samples + block * BlurredMask.blockWidth).copyMemory(
        from: next, byteCount: Self.sampleByteCount)
      next += Self.sampleByteCount
    }
  }

  /// Bytes in a block.
  struct Place {
    fileprivate let start: UnsafeMutableRawPointer
    /// Keeps them.
    fileprivate let block: Block
  }

  /// Memory of many masks. In large pages: the first touch of a small one takes longer than the copy.
  final class Block: @unchecked Sendable {
    // Unchecked because of the pointer: each byte is reserved once, under the lock of its owner.
    private static let pageByteCount = 2 << 20
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    private var usedCount = 0

    static func byteCount(of count: Int) -> Int { (count + pageByteCount - 1) / pageByteCount * pageByteCount }

    init(byteCount: Int) {
      self.byteCount = byteCount
      memory = .allocate(byteCount: byteCount, alignment: Self.pageByteCount)
      madvise(memory, byteCount, Int32(MADV_HUGEPAGE))
    }

    deinit { memory.deallocate() }

    /// - Returns: nil if so much is not left.
    func reserve(_ count: Int) -> Place? {
      guard count <= byteCount - usedCount else { return nil }
      let start = memory + usedCount
      usedCount += PackedBlur.aligned(count)
      return Place(start: start, block: self)
    }
  }

  fileprivate static func aligned(_ count: Int) -> Int { (count + 63) / 64 * 64 }
}
