import ChunkFormat
import Support

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

/// Bytes in memory, which can be made to fail.
package final class MemorySink: ByteSink {
  package var bytes: [UInt8] = []
  /// Bytes that still fit.
  package var room = Int.max

  package init() {}

  package func write(_ part: UnsafeRawBufferPointer) throws(RetakeError) {
    let fits = min(part.count, room)
    bytes += part[..<fits]
    room -= fits
    guard fits == part.count else { throw RetakeError(.diskFull, "Full.") }
  }

  package func truncate(to byteCount: Int) throws(RetakeError) {
    room += bytes.count - byteCount
    bytes.removeLast(bytes.count - byteCount)
  }
}

extension MCAPRecordReader {
  /// Calls `body` with each record, whose pointers are valid during the call.
  package func readAll(_ body: (MCAPItem) throws(RetakeError) -> Void) throws(RetakeError) {
    while let item = try next() { try body(item) }
    withExtendedLifetime(self) {}
  }
}
