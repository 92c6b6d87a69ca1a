import Support

/// Reads numbers and strings from untrusted bytes. Checks every length against the bytes left.
package struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  package private(set) var offset = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var remaining: Int { bytes.count - offset }
  package var isAtEnd: Bool { remaining == 0 }

  package mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(RetakeError) -> Number {
    let size = MemoryLayout<Number>.size
    try require(size)
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The next `count` bytes, not copied.
  package mutating func take(_ count: Int) throws(RetakeError) -> UnsafeRawBufferPointer {
    try require(count)
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Takes a length as stored in the file. One that does not fit in `Int` throws `.corrupt`.
  mutating func take(_ count: UInt64) throws(RetakeError) -> UnsafeRawBufferPointer {
    guard let count = Int(exactly: count) else { throw Self.cutShort }
    return try take(count)
  }

  mutating func prefixedString() throws(RetakeError) -> String {
    let length = try fixed(UInt32.self)
    return Self.string(try take(Int(length)))
  }

  package mutating func varint() throws(RetakeError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      try require(1)
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw RetakeError(.corrupt, "A variable-length integer exceeds 64 bits.")
  }

  /// Decodes UTF-8. Invalid bytes are replaced, so that a damaged name can still be shown.
  static func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

  private func require(_ count: Int) throws(RetakeError) {
    guard count >= 0, count <= remaining else { throw Self.cutShort }
  }

  static let cutShort = RetakeError(.corrupt, "A record is truncated.")
}
