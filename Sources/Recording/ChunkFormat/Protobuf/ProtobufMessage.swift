import Kernels
import Support

/// A message that lists its fields once, in `code(by:)`. Writing, reading and the schema use that list.
protocol ProtobufMessage: ProtobufCodable {
  /// An empty message, for a reader to fill.
  init()
  /// Passes every field to `coder`, in the order in which they are written.
  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure)
}

/// Visits the fields of a message: to write them, to read them, or to list them for the schema.
protocol ProtobufCoder {
  associatedtype Failure: Error
  mutating func code<Value: ProtobufCodable>(_ field: ProtobufField, _ value: inout Value) throws(Failure)
  /// Writes or checks the CRC of all fields before it. Call it last, or just before a payload.
  mutating func codeFieldsCRC() throws(Failure)
}

extension ProtobufCoder {
  mutating func code<Value: ProtobufCodable>(
    _ number: UInt64, _ name: StaticString, _ kind: ProtobufKind, _ value: inout Value, upTo limit: Int = .max
  ) throws(Failure) {
    try code(ProtobufField(number: number, name: name, kind: kind, limit: limit), &value)
  }

  /// Codes a field that is omitted if it has the value `absent`.
  mutating func code<Value: ProtobufCodable & Equatable>(
    _ number: UInt64, _ name: StaticString, _ kind: ProtobufKind, _ value: inout Value, unless absent: Value,
    upTo limit: Int = .max
  ) throws(Failure) {
    var present = value == absent ? nil : value
    try code(number, name, kind, &present, upTo: limit)
    value = present ?? absent
  }
}

extension ProtobufMessage {
  func write(to writer: inout ByteWriter) {
    var coder = ProtobufWriter(start: writer.count)
    // Swaps the bytes in and out, since copying a chunk would be slow.
    swap(&coder.bytes, &writer)
    var message = self
    message.code(by: &coder)
    swap(&coder.bytes, &writer)
  }

  /// Skips fields with unknown numbers. If a field that is not repeated occurs twice, the last one counts.
  init(reading bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    self.init()
    var coder = ProtobufReader(bytes)
    try coder.advance()
    while let value = coder.value {
      try code(by: &coder)
      let isUnknown = coder.value?.offset == value.offset
      if isUnknown { try coder.advance() }
    }
  }
}

private struct ProtobufWriter: ProtobufCoder {
  var bytes = ByteWriter()
  /// Offset of the message in `bytes`.
  let start: Int

  mutating func code<Value: ProtobufCodable>(_ field: ProtobufField, _ value: inout Value) {
    value.write(to: &bytes, as: field)
  }

  mutating func codeFieldsCRC() {
    let crc = bytes.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    UInt64(crc).write(to: &bytes, as: .fieldsCRC)
  }
}

/// Assigns the values of a message, in file order, to the fields with the same numbers. If values and
/// fields have the same order, a single pass over the fields reads the message.
private struct ProtobufReader: ProtobufCoder {
  private var reader: ByteReader
  /// The next value; nil at the end.
  private(set) var value: ProtobufValue?

  init(_ bytes: UnsafeRawBufferPointer) { reader = ByteReader(bytes) }

  mutating func advance() throws(RetakeError) { value = try reader.nextField() }

  mutating func code<Value: ProtobufCodable>(_ field: ProtobufField, _ property: inout Value) throws(RetakeError) {
    while let value, value.number == field.number {
      try property.read(value, of: field)
      try advance()
    }
  }

  mutating func codeFieldsCRC() throws(RetakeError) {
    while let value, value.number == ProtobufField.fieldsCRC.number {
      guard Checksum.crc32(UnsafeRawBufferPointer(rebasing: reader.bytes[..<value.offset])) == value.word else {
        throw RetakeError(.corrupt, "The fields do not match their CRC.")
      }
      try advance()
    }
  }
}
