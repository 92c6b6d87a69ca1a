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

extension MCAPRecordReader {
  /// Calls `body` with each record, whose pointers are valid during the call.
  package func readAll(_ body: (MCAPItem) throws(RetakeError) -> Void) throws(RetakeError) {
    while let item = try next() { try body(item) }
    withExtendedLifetime(self) {}
  }
}
