import ChunkFormat
import Support

/// Decodes foxglove.RawImage and foxglove.CompressedImage from protobuf.
enum FoxgloveImageMessage {
  static func read(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool) throws(RetakeError) -> ImageMessage {
    typealias Raw = Foxglove.RawImage
    typealias Compressed = Foxglove.CompressedImage
    var (width, height, step) = (0, 0, 0)
    var message = ImageMessage(encoding: "", form: .compressed, data: UnsafeRawBufferPointer(start: nil, count: 0))
    var reader = ByteReader(bytes)
    while let field = try reader.nextField() {
      switch (isCompressed, field.number) {
      // The timestamp is field 1 of both messages.
      case (_, Raw.timestamp.number): message.stampNanoseconds = try time(field.data)
      case (true, Compressed.data.number), (false, Raw.data.number): message.data = field.data
      case (true, Compressed.format.number), (false, Raw.encoding.number): message.encoding = try name(field)
      case (false, Raw.width.number): width = try field.integer(upTo: Int(UInt32.max))
      case (false, Raw.height.number): height = try field.integer(upTo: Int(UInt32.max))
      case (false, Raw.step.number): step = try field.integer(upTo: Int(UInt32.max))
      default: continue
      }
    }
    if !isCompressed {
      message.form = .raw(width: width, height: height, bytesPerRow: step, isBigEndian: false)
    }
    return message
  }

  private static func name(_ field: ProtobufValue) throws(RetakeError) -> String {
    guard field.data.count <= ImageMessage.longestEncodingByteCount else {
      throw RetakeError(.corrupt, "A message has a name of \(field.data.count) bytes, which is too long.")
    }
    return field.string
  }

  private static func time(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int64? {
    var (seconds, nanos): (Int64, Int64) = (0, 0)
    var reader = ByteReader(bytes)
    while let field = try reader.nextField() {
      switch field.number {
      case Foxglove.Time.seconds.number: seconds = Int64(bitPattern: field.word)
      case Foxglove.Time.nanos.number: nanos = Int64(bitPattern: field.word)
      default: continue
      }
    }
    return ImageMessage.nanoseconds(seconds: seconds, nanos: nanos)
  }
}
