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

  private enum Field {
    static let number = ProtobufField(1, "number", .uint64)
    static let deviceSequence = ProtobufField(2, "device_sequence", .uint64)
    static let deviceTick = ProtobufField(3, "device_tick", .uint64)
    static let unwrappedTick = ProtobufField(4, "unwrapped_tick", .sint64)
    static let arrival = ProtobufField(5, "arrival_monotonic_ns", .sint64)
    static let presentation = ProtobufField(6, "presentation_ns", .sint64)
    static let flags = ProtobufField(7, "flags", .uint32)
    static let format = ProtobufField(8, "format", .string)
    static let width = ProtobufField(9, "width", .uint32)
    static let height = ProtobufField(10, "height", .uint32)
    static let codec = ProtobufField(11, "codec", .string)
    static let byteCount = ProtobufField(12, "byte_count", .uint64)
    static let checksum = ProtobufField(13, "xxh3", .fixed64)
    static let payload = ProtobufField(14, "payload", .bytes)
    static let all = [
      number, deviceSequence, deviceTick, unwrappedTick, arrival, presentation, flags, format, width, height,
      codec, byteCount, checksum, .fieldsCRC, payload,
    ]
  }

  static let schema = ProtobufSchema(name: "Frame", fields: Field.all)

  func encode(payload: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(Field.number, number)
    if let deviceSequence { writer.append(Field.deviceSequence, deviceSequence) }
    if let tick = timestamps.deviceTick { writer.append(Field.deviceTick, tick) }
    if let tick = timestamps.unwrappedTick { writer.append(Field.unwrappedTick, signed: tick) }
    writer.append(Field.arrival, signed: timestamps.arrival.nanoseconds)
    writer.append(Field.presentation, signed: timestamps.presentation.nanoseconds)
    writer.append(Field.flags, UInt64(flags.rawValue))
    writer.append(Field.format, layout.format.rawValue)
    writer.append(Field.width, layout.width)
    writer.append(Field.height, layout.height)
    writer.append(Field.codec, codec.rawValue)
    writer.append(Field.byteCount, byteCount)
    writer.append(Field.checksum, checksum)
    writer.appendFieldsCRC(since: start)
    writer.append(Field.payload, payload)
  }

  /// - Returns: the message and its payload, which points into `bytes`.
  /// - Throws: `.corrupt` for invalid fields, `.unsupported` for an unknown codec or pixel format.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> (
    message: FrameMessage, payload: UnsafeRawBufferPointer
  ) {
    var reader = ByteReader(bytes)
    var number = 0
    var width = 0
    var height = 0
    var byteCount = 0
    var sequence: UInt64?
    var format = ""
    var codecName = ""
    var checksum: UInt64 = 0
    var flags: UInt32 = 0
    var times = FrameTimestamps(
      deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
      presentation: PresentationTime(nanoseconds: 0))
    var payload = UnsafeRawBufferPointer(start: nil, count: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case Field.number.number: number = try field.integer(upTo: 1 << 46)
      case Field.deviceSequence.number: sequence = field.word
      case Field.deviceTick.number: times.deviceTick = field.word
      case Field.unwrappedTick.number: times.unwrappedTick = field.signed
      case Field.arrival.number: times.arrival = MonotonicTime(nanoseconds: field.signed)
      case Field.presentation.number: times.presentation = PresentationTime(nanoseconds: field.signed)
      case Field.flags.number: flags = UInt32(try field.integer(upTo: Int(UInt32.max)))
      case Field.format.number: format = field.string
      case Field.width.number: width = try field.integer(upTo: FrameLayout.largestSide)
      case Field.height.number: height = try field.integer(upTo: FrameLayout.largestSide)
      case Field.codec.number: codecName = field.string
      case Field.byteCount.number: byteCount = try field.integer(upTo: FrameLayout.largestByteCount)
      case Field.checksum.number: checksum = field.word
      case ProtobufField.fieldsCRC.number: try reader.check(field)
      case Field.payload.number: payload = field.data
      default: continue
      }
    }
    guard let format = PixelFormat(rawValue: format) else {
      throw RetakeError(.unsupported, "This version of Retake does not know the pixel format '\(format)'.")
    }
    guard let codec = FrameCodec(rawValue: codecName) else {
      throw RetakeError(.unsupported, "This version of Retake does not know the codec '\(codecName)'.")
    }
    try times.check()
    let layout = try FrameLayout(format, width: width, height: height)
    guard byteCount <= layout.byteCount else {
      throw RetakeError(.corrupt, "A frame claims \(byteCount) bytes, more than its format and size allow.")
    }
    let message = FrameMessage(
      number: number, layout: layout, byteCount: byteCount, deviceSequence: sequence, timestamps: times,
      flags: FrameFlags(rawValue: flags), codec: codec, checksum: checksum)
    return (message, payload)
  }
}
