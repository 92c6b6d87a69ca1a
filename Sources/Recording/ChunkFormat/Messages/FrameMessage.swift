import FrameModel
import Support

/// A frame's metadata in a chunk file. The encoded payload is passed separately.
package struct FrameMessage {
  package var number: Int
  package var layout: FrameLayout
  /// Size of the packed frame, before encoding.
  package var byteCount: Int
  package var deviceSequence: UInt64?
  package var timestamps: FrameTimestamps
  package var flags: FrameFlags
  package var codec: FrameCodec
  /// XXH3-64 of the packed frame, before encoding.
  package var checksum: UInt64

  package init(
    number: Int, layout: FrameLayout, byteCount: Int, deviceSequence: UInt64?, timestamps: FrameTimestamps,
    flags: FrameFlags, codec: FrameCodec, checksum: UInt64
  ) {
    self.number = number
    self.layout = layout
    self.byteCount = byteCount
    self.deviceSequence = deviceSequence
    self.timestamps = timestamps
    self.flags = flags
    self.codec = codec
    self.checksum = checksum
  }

  func encode(payload: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    FrameFields(
      number: number, deviceSequence: deviceSequence, timestamps: timestamps, flags: Int(flags.rawValue),
      format: layout.format.rawValue, width: layout.width, height: layout.height, codec: codec.rawValue,
      byteCount: byteCount, checksum: checksum, payload: payload
    ).write(to: &writer)
  }

  /// - Returns: the message and its payload, which points into `bytes`.
  /// - Throws: `.corrupt` for invalid fields, `.unsupported` for an unknown codec or pixel format.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> (
    message: FrameMessage, payload: UnsafeRawBufferPointer
  ) {
    let fields = try FrameFields(reading: bytes)
    guard let format = PixelFormat(rawValue: fields.format) else {
      throw RetakeError(.unsupported, "This version of Retake does not know the pixel format '\(fields.format)'.")
    }
    guard let codec = FrameCodec(rawValue: fields.codec) else {
      throw RetakeError(.unsupported, "This version of Retake does not know the codec '\(fields.codec)'.")
    }
    try fields.timestamps.check()
    let layout = try FrameLayout(format, width: fields.width, height: fields.height)
    guard fields.byteCount <= layout.byteCount else {
      throw RetakeError(.corrupt, "A frame claims \(fields.byteCount) bytes, more than its format and size allow.")
    }
    let message = FrameMessage(
      number: fields.number, layout: layout, byteCount: fields.byteCount, deviceSequence: fields.deviceSequence,
      timestamps: fields.timestamps, flags: FrameFlags(rawValue: UInt32(fields.flags)), codec: codec,
      checksum: fields.checksum)
    return (message, fields.payload)
  }
}

/// A `FrameMessage` as stored, not yet checked.
struct FrameFields: DescribedMessage {
  var number = 0
  var deviceSequence: UInt64?
  var timestamps = FrameTimestamps(
    deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
    presentation: PresentationTime(nanoseconds: 0))
  var flags = 0
  var format = ""
  var width = 0
  var height = 0
  var codec = ""
  var byteCount = 0
  var checksum: UInt64 = 0
  /// Points into the decoded bytes.
  var payload = UnsafeRawBufferPointer(start: nil, count: 0)

  static let fullName = "retake.Frame"

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "number", .uint64, &number, upTo: 1 << 46)
    try coder.code(2, "device_sequence", .uint64, &deviceSequence)
    try coder.code(3, "device_tick", .uint64, &timestamps.deviceTick)
    try coder.code(4, "unwrapped_tick", .sint64, &timestamps.unwrappedTick)
    try coder.code(5, "arrival_monotonic_ns", .sint64, &timestamps.arrival.nanoseconds)
    try coder.code(6, "presentation_ns", .sint64, &timestamps.presentation.nanoseconds)
    try coder.code(7, "flags", .uint32, &flags, upTo: Int(UInt32.max))
    try coder.code(8, "format", .string, &format)
    try coder.code(9, "width", .uint32, &width, upTo: FrameLayout.largestSide)
    try coder.code(10, "height", .uint32, &height, upTo: FrameLayout.largestSide)
    try coder.code(11, "codec", .string, &codec)
    try coder.code(12, "byte_count", .uint64, &byteCount, upTo: FrameLayout.largestByteCount)
    try coder.code(13, "xxh3", .fixed64, &checksum)
    try coder.codeFieldsCRC()
    try coder.code(14, "payload", .bytes, &payload)
  }
}
