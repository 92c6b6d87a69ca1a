import Support

/// The field types that Retake's and Foxglove's messages use. Raw values are those of
/// FieldDescriptorProto.Type.
enum ProtobufKind: UInt64 {
  case double = 1
  case int64 = 3
  case uint64 = 4
  case int32 = 5
  case fixed64 = 6
  case fixed32 = 7
  case string = 9
  case message = 11
  case bytes = 12
  case uint32 = 13
  case enumeration = 14
  case sint64 = 18

  var wireType: UInt64 {
    switch self {
    case .int64, .uint64, .int32, .uint32, .enumeration, .sint64: 0
    case .double, .fixed64: 1
    case .string, .message, .bytes: 2
    case .fixed32: 5
    }
  }
}

/// A field of a message, as in its schema, with a limit that readers check.
struct ProtobufField: Sendable {
  let number: UInt64
  let name: StaticString
  let kind: ProtobufKind
  /// Largest valid integer or number of elements. A greater one means that the file is damaged.
  var limit = Int.max

  /// CRC-32 of the message's bytes before this field, in every Retake message. A frame's own checksum
  /// covers only its pixels; this one detects damage to the other fields, such as times.
  static let fieldsCRC = ProtobufField(number: 15, name: "fields_crc", kind: .fixed32)
}

/// A field as read from a message.
package struct ProtobufValue {
  package let number: UInt64
  /// Offset of the field in its message.
  let offset: Int
  /// The value, for wire types 0, 1 and 5.
  package let word: UInt64
  /// The bytes, for wire type 2; not copied.
  package let data: UnsafeRawBufferPointer
  package let wireType: UInt64

  package var string: String { ByteReader.string(data) }

  package func integer(upTo limit: Int) throws(RetakeError) -> Int {
    guard word <= UInt64(limit) else {
      throw RetakeError(.corrupt, "Field \(number) is \(word); the largest valid value is \(limit).")
    }
    return Int(word)
  }
}

extension ByteReader {
  /// The next field, or nil at the end. Callers skip unknown numbers, as protobuf requires.
  package mutating func nextField() throws(RetakeError) -> ProtobufValue? {
    if isAtEnd { return nil }
    let start = offset
    let key = try varint()
    let wireType = key & 7
    var word: UInt64 = 0
    var data = UnsafeRawBufferPointer(start: nil, count: 0)
    switch wireType {
    case 0: word = try varint()
    case 1: word = try fixed(UInt64.self)
    case 2: data = try take(try varint())
    case 5: word = UInt64(try fixed(UInt32.self))
    default: throw RetakeError(.corrupt, "A message has a field of unknown wire type \(wireType).")
    }
    return ProtobufValue(number: key >> 3, offset: start, word: word, data: data, wireType: wireType)
  }
}
