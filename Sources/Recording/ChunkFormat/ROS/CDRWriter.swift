/// Writes the fields of a ROS 2 message in plain CDR, little-endian: each at a multiple of its size,
/// counted from behind four bytes of head.
struct CDRWriter {
  private var bytes = ByteWriter()
  /// Offset in `bytes` of what follows the head.
  private var start = 0

  /// Appends a message.
  static func append(to writer: inout ByteWriter, _ body: (inout CDRWriter) -> Void) {
    var message = CDRWriter()
    // Swaps the bytes in and out, since copying a chunk would be slow.
    swap(&message.bytes, &writer)
    message.bytes.append([0, 1, 0, 0])
    message.start = message.bytes.count
    body(&message)
    swap(&message.bytes, &writer)
  }

  private mutating func align(_ size: Int) {
    while (bytes.count - start) % size != 0 { bytes.append(UInt8(0)) }
  }

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ value: UInt32) {
    align(4)
    bytes.append(fixed: value)
  }

  mutating func append(_ value: Int) { append(UInt32(truncatingIfNeeded: value)) }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count + 1))
    bytes.append(utf8: text)
    bytes.append(UInt8(0))
  }

  mutating func append(_ data: UnsafeRawBufferPointer) {
    append(UInt32(data.count))
    bytes.append(data)
  }

  mutating func append(_ values: [Double]) {
    for value in values {
      align(8)
      bytes.append(fixed: value.bitPattern)
    }
  }

  /// Numbers with their count before them.
  mutating func append(counted values: [Double]) {
    append(UInt32(values.count))
    append(values)
  }

  /// std_msgs/Header.
  mutating func append(header frame: String, _ nanoseconds: Int64) {
    let (seconds, nanos) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    append(Int(seconds))
    append(Int(nanos))
    append(frame)
  }
}
