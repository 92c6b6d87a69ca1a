import Glibc

/// A buffer that a codec reuses for every frame. It grows to the size of the largest frame.
package final class ScratchMemory {
  /// Bytes before and after the requested part, since vector loads and stores overrun it.
  static let margin = 64

  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  package init() {}

  deinit { base?.deallocate() }

  /// `count` bytes, aligned to 64, with a margin on both sides. Earlier contents may be lost.
  package func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if let base, count <= capacity {
      return UnsafeMutableRawBufferPointer(start: base + Self.margin, count: count)
    }
    base?.deallocate()
    let taken = UnsafeMutableRawPointer.allocate(byteCount: count + 2 * Self.margin, alignment: 64)
    // Kernels read the margins, though no result depends on them.
    memset(taken, 0, count + 2 * Self.margin)
    base = taken
    capacity = count
    return UnsafeMutableRawBufferPointer(start: taken + Self.margin, count: count)
  }

  package func samples<Sample: FixedWidthInteger>(of type: Sample.Type, _ count: Int) -> UnsafeMutablePointer<Sample> {
    // The buffer is never empty, so it has a base address.
    bytes(max(1, count) * MemoryLayout<Sample>.stride).baseAddress!.assumingMemoryBound(to: Sample.self)
  }
}
