/// A message's schema as MCAP wants it: a serialized FileDescriptorSet, so that generic readers show every field.
struct ProtobufSchema {
  let name: String
  let fields: [ProtobufField]
  /// Messages that the fields refer to.
  var nested: [ProtobufSchema] = []

  static let package = "retake"
  var fullName: String { "\(Self.package).\(name)" }

  /// Field numbers are those of descriptor.proto: FileDescriptorSet.file = 1; FileDescriptorProto.name = 1,
  /// package = 2, message_type = 4; DescriptorProto.name = 1, field = 2; FieldDescriptorProto.name = 1, number = 3,
  /// label = 4 (1 optional, 3 repeated), type = 5, type_name = 6. The syntax is proto2, where every field can be absent.
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
      var descriptor = ByteWriter()
      descriptor.append(ProtobufField(1, "name", .string), field.name)
      descriptor.append(ProtobufField(3, "number", .uint64), field.number)
      descriptor.append(ProtobufField(4, "label", .uint64), field.messageType == nil ? UInt64(1) : 3)
      descriptor.append(ProtobufField(5, "type", .uint64), field.kind.rawValue)
      if let type = field.messageType {
        descriptor.append(ProtobufField(6, "type_name", .string), ".\(Self.package).\(type)")
      }
      message.append(ProtobufField(2, "field", .message), descriptor)
    }
    return message
  }
}
