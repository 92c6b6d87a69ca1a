import Glibc

/// Memory that a codec uses again for every frame. It grows to what the largest frame needed.
final class ScratchMemory {
  /// Bytes before and behind the part that is asked for: vectors reach a little beyond.
  static let margin = 64

  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit { base?.deallocate() }

  /// - Returns: at least so many bytes, aligned to 64, with a margin on both sides. What lay there before may be lost.
  func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if let base, count <= capacity {
      return UnsafeMutableRawBufferPointer(start: base + Self.margin, count: count)
    }
    base?.deallocate()
    let taken = UnsafeMutableRawPointer.allocate(byteCount: count + 2 * Self.margin, alignment: 64)
    // Kernels read what is in the margins, though nothing depends on it.
    memset(taken, 0, count + 2 * Self.margin)
    base = taken
    capacity = count
    return UnsafeMutableRawBufferPointer(start: taken + Self.margin, count: count)
  }

  /// The same, for samples.
  func samples<Sample: FixedWidthInteger>(of type: Sample.Type, _ count: Int) -> UnsafeMutablePointer<Sample> {
    // Never empty, so there is an address.
    bytes(max(1, count) * MemoryLayout<Sample>.stride).baseAddress!.assumingMemoryBound(to: Sample.self)
  }
}
