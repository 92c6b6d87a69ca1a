import Support

/// Random access to bytes: a file, memory, or a simulated disk.
package protocol ByteSource {
  /// Total size in bytes; nil if unknown.
  var byteCount: Int? { get }
  /// - Returns: the number of bytes read, perhaps fewer than `buffer.count`; 0 only at the end.
  mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int
}

extension ByteSource {
  /// Fills `buffer`, repeating short reads.
  /// - Returns: the number of bytes read; fewer than `buffer.count` only at the end.
  package mutating func readAll(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError)
    -> Int
  {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let n = try read(at: offset + done, into: rest)
      if n == 0 { break }
      done += n
    }
    return done
  }
}

/// A buffer that grows but never shrinks, so that a reader allocates only for its longest records.
package final class ByteStore {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  deinit { memory.deallocate() }

  /// Current capacity.
  package var byteCount: Int { memory.count }

  /// The first `count` bytes. If the buffer has to grow, only the first `keeping` bytes survive.
  package func bytes(_ count: Int, keeping: Int = 0) -> UnsafeMutableRawBufferPointer {
    if memory.count < count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 4096), alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<keeping]))
      memory.deallocate()
      memory = larger
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}
