import Support

/// Appends numbers, strings and maps in the little-endian encoding of MCAP and protobuf.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init(bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  package var count: Int { bytes.count }

  /// Keeps the capacity, so that reuse does not allocate.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func append(_ value: UInt8) { bytes.append(value) }

  package mutating func append<Number: FixedWidthInteger>(fixed value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }
  package mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }
  mutating func append(utf8 text: String) { bytes.append(contentsOf: text.utf8) }

  /// A UInt32 length, then UTF-8.
  package mutating func append(prefixed text: String) {
    append(fixed: UInt32(text.utf8.count))
    append(utf8: text)
  }

  package mutating func append(prefixed data: [UInt8]) {
    append(fixed: UInt32(data.count))
    bytes.append(contentsOf: data)
  }

  /// Overwrites a number that was written before its value was known.
  mutating func replace<Number: FixedWidthInteger>(at offset: Int, fixed value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
  }

  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withRawBytes(body)
  }
}
