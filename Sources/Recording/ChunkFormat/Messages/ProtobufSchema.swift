/// A message's schema, serialized for MCAP so that any reader shows every field.
struct ProtobufSchema {
  let name: String
  let fields: [ProtobufField]
  /// Messages that the fields refer to.
  var nested: [ProtobufSchema] = []

  static let package = "retake"
  var fullName: String { "\(Self.package).\(name)" }

  /// Field names and numbers are those of descriptor.proto. The syntax is proto2, where every field can be absent.
  var fileDescriptorSet: [UInt8] {
    var file = ByteWriter()
    file.append(ProtobufField(1, "name", .string), "retake/\(name.lowercased()).proto")
    file.append(ProtobufField(2, "package", .string), Self.package)
    for message in nested + [self] {
      file.append(ProtobufField(4, "message_type", .message), message.descriptor)
    }
    var set = ByteWriter()
    set.append(ProtobufField(1, "file", .message), file)
    return set.bytes
  }

  private var descriptor: ByteWriter {
    var message = ByteWriter()
    message.append(ProtobufField(1, "name", .string), name)
    for field in fields {
      message.append(
        descriptorOf: field, isRepeated: field.messageType != nil,
        typeName: field.messageType.map { "\(Self.package).\($0)" })
    }
    return message
  }
}

extension ByteWriter {
  /// Appends a field of a message's descriptor. Its label is 1 for optional, 3 for repeated.
  package mutating func append(descriptorOf field: ProtobufField, isRepeated: Bool, typeName: String?) {
    var descriptor = ByteWriter()
    descriptor.append(ProtobufField(1, "name", .string), field.name)
    descriptor.append(ProtobufField(3, "number", .uint64), field.number)
    descriptor.append(ProtobufField(4, "label", .uint64), isRepeated ? UInt64(3) : 1)
    descriptor.append(ProtobufField(5, "type", .uint64), field.kind.rawValue)
    if let typeName { descriptor.append(ProtobufField(6, "type_name", .string), ".\(typeName)") }
    append(ProtobufField(2, "field", .message), descriptor)
  }
}
