import FrameModel
import Support

/// Where bytes come from: a file, memory, a simulated disk.
package protocol ByteSource {
  /// How many there are; nil where nobody knows.
  var byteCount: Int? { get }
  /// Reads bytes that start at `offset`.
  /// - Returns: how many were read, at most `buffer.count` and perhaps fewer; 0 only at the end.
  mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int
}

extension ByteSource {
  /// Fills `buffer`, over short reads.
  /// - Returns: how many bytes were read: fewer than `buffer.count` only where the source ends.
  mutating func readAll(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError)
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

/// Bytes in memory.
package struct MemorySource: ByteSource {
  package let bytes: [UInt8]
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: Int? { bytes.count }

  package mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError)
    -> Int
  {
    guard offset < bytes.count else { return 0 }
    let part = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: part)
    return part.count
  }
}

/// Memory that grows and stays, so that a reader allocates only for records longer than any before.
final class ByteStore {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// What it holds now.
  var byteCount: Int { memory.count }

  /// The first `count` bytes. What was there is lost when the memory has to grow, but for `keeping` bytes.
  func bytes(_ count: Int, keeping: Int = 0) -> UnsafeMutableRawBufferPointer {
    if memory.count < count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 4096), alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<keeping]))
      memory.deallocate()
      memory = larger
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}
