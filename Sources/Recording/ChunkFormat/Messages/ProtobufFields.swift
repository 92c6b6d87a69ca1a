import Kernels
import Support

/// The kinds of field that Retake's and Foxglove's messages use, as in FieldDescriptorProto.Type.
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

/// A protobuf field. Encoder, decoder and schema share it, so that they cannot disagree.
package struct ProtobufField: Sendable {
  package let number: UInt64
  let name: String
  let kind: ProtobufKind
  /// For a repeated `.message`: its type.
  var messageType: String?

  init(_ number: UInt64, _ name: String, _ kind: ProtobufKind, of messageType: String? = nil) {
    self.number = number
    self.name = name
    self.kind = kind
    self.messageType = messageType
  }

  /// CRC-32 of the message's bytes before this field, in every Retake message. A frame's checksum
  /// covers only pixels, so damage to a time would otherwise go unnoticed in a damaged chunk.
  static let fieldsCRC = ProtobufField(15, "fields_crc", .fixed32)
}

extension ByteWriter {
  private mutating func key(_ field: ProtobufField) {
    append(varint: field.number << 3 | field.kind.wireType)
  }

  package mutating func append(_ field: ProtobufField, _ value: UInt64) {
    key(field)
    switch field.kind {
    case .fixed64: append(fixed: value)
    case .fixed32: append(fixed: UInt32(truncatingIfNeeded: value))
    default: append(varint: value)
    }
  }

  package mutating func append(_ field: ProtobufField, _ value: Int) { append(field, UInt64(value)) }

  /// Zigzag coded, so that small negative numbers stay short.
  package mutating func append(_ field: ProtobufField, signed value: Int64) {
    key(field)
    append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  package mutating func append(_ field: ProtobufField, _ value: Double) {
    key(field)
    append(fixed: value.bitPattern)
  }

  package mutating func append(_ field: ProtobufField, _ value: String) {
    key(field)
    append(varint: UInt64(value.utf8.count))
    append(Array(value.utf8))
  }

  package mutating func append(_ field: ProtobufField, _ value: UnsafeRawBufferPointer) {
    key(field)
    append(varint: UInt64(value.count))
    append(value)
  }

  /// Appends the CRC that ends a message, or its fields before a payload.
  /// - Parameter start: offset of the message.
  mutating func appendFieldsCRC(since start: Int) {
    let crc = withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    append(.fieldsCRC, UInt64(crc))
  }

  package mutating func append(_ field: ProtobufField, _ value: ByteWriter) {
    value.withRawBytes { append(field, $0) }
  }
}

package struct ProtobufValue {
  package let number: UInt64
  /// Offset of the field in its message.
  let offset: Int
  /// The value, for wire types 0, 1 and 5.
  package let word: UInt64
  /// The bytes, for wire type 2; not copied.
  package let data: UnsafeRawBufferPointer
  package let wireType: UInt64

  var signed: Int64 { Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) }
  var double: Double { Double(bitPattern: word) }
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
    let number = key >> 3
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    switch key & 7 {
    case 0: return ProtobufValue(number: number, offset: start, word: try varint(), data: none, wireType: 0)
    case 1: return ProtobufValue(number: number, offset: start, word: try fixed(UInt64.self), data: none, wireType: 1)
    case 2: return ProtobufValue(number: number, offset: start, word: 0, data: try take(try varint()), wireType: 2)
    case 5:
      return ProtobufValue(number: number, offset: start, word: UInt64(try fixed(UInt32.self)), data: none, wireType: 5)
    default: throw RetakeError(.corrupt, "A message has a field of unknown wire type \(key & 7).")
    }
  }

  /// - Parameter field: the decoded `.fieldsCRC`.
  /// - Throws: `.corrupt` when it does not match the fields before it.
  func check(_ field: ProtobufValue) throws(RetakeError) {
    guard Checksum.crc32(UnsafeRawBufferPointer(rebasing: bytes[..<field.offset])) == field.word else {
      throw RetakeError(.corrupt, "The fields do not match their CRC.")
    }
  }
}
