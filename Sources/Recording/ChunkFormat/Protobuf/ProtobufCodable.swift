import Support

/// A type of value that a message's field can hold.
protocol ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError)
  /// Replaces this value by the one read; an array appends it.
  mutating func read(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError)
  func write(to writer: inout ByteWriter, as field: ProtobufField)

  static var isRepeated: Bool { get }
  /// Full name of a message type, with its package; nil for other types.
  static var messageType: String? { get }
}

extension ProtobufCodable {
  mutating func read(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    self = try Self(value, of: field)
  }

  static var isRepeated: Bool { false }
  static var messageType: String? { nil }
}

extension ByteWriter {
  fileprivate mutating func append(keyOf field: ProtobufField) {
    append(varint: field.number << 3 | field.kind.wireType)
  }
}

// MARK: Numbers

extension UInt64: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) { self = value.word }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    writer.append(keyOf: field)
    switch field.kind {
    case .fixed64: writer.append(fixed: self)
    case .fixed32: writer.append(fixed: UInt32(truncatingIfNeeded: self))
    default: writer.append(varint: self)
    }
  }
}

extension Int: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    self = try value.integer(upTo: field.limit)
  }

  func write(to writer: inout ByteWriter, as field: ProtobufField) { UInt64(self).write(to: &writer, as: field) }
}

extension Int64: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) {
    let word = value.word
    self = field.kind == .sint64 ? Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) : Int64(bitPattern: word)
  }

  /// Fields of kind `.sint64` are zigzag coded, so that small negative numbers stay short.
  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    let coded = field.kind == .sint64 ? self << 1 ^ self >> 63 : self
    UInt64(bitPattern: coded).write(to: &writer, as: field)
  }
}

extension Double: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) { self.init(bitPattern: value.word) }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    writer.append(keyOf: field)
    writer.append(fixed: bitPattern)
  }
}

extension Bool: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) { self = try value.integer(upTo: 1) == 1 }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    UInt64(self ? 1 : 0).write(to: &writer, as: field)
  }
}

// MARK: Bytes

extension UnsafeRawBufferPointer: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) { self = value.data }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    writer.append(keyOf: field)
    writer.append(varint: UInt64(count))
    writer.append(self)
  }
}

extension String: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) { self = value.string }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    writer.append(keyOf: field)
    writer.append(varint: UInt64(utf8.count))
    writer.append(utf8: self)
  }
}

extension ProtobufMessage {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) { try self.init(reading: value.data) }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    var message = ByteWriter()
    write(to: &message)
    message.withRawBytes { $0.write(to: &writer, as: field) }
  }
}

// MARK: Absent and repeated fields

extension Optional: ProtobufCodable where Wrapped: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) { self = try Wrapped(value, of: field) }

  func write(to writer: inout ByteWriter, as field: ProtobufField) { self?.write(to: &writer, as: field) }

  static var messageType: String? { Wrapped.messageType }
}

extension Array: ProtobufCodable where Element: ProtobufCodable {
  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) { self = [try Element(value, of: field)] }

  mutating func read(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    guard count < field.limit else {
      throw RetakeError(.corrupt, "A frame has more than \(field.limit) \(field.name).")
    }
    append(try Element(value, of: field))
  }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    for element in self { element.write(to: &writer, as: field) }
  }

  static var isRepeated: Bool { true }
  static var messageType: String? { Element.messageType }
}
