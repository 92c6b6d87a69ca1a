import FrameModel

/// A .proto file of somebody else's, as far as Retake writes its messages: proto3, with imports.
struct ProtobufFile {
  struct Message {
    var name: String
    var fields: [Field]
    /// Declared inside the message: values count from 0.
    var enumeration: (name: String, values: [String])?
  }

  struct Field {
    var field: ProtobufField
    var isRepeated = false
    /// With package: "google.protobuf.Timestamp".
    var typeName: String?
  }

  var name: String
  var package: String
  var imports: [String]
  var message: Message

  var fullName: String { "\(package).\(message.name)" }

  /// A serialized FileDescriptorSet, as MCAP wants it.
  /// - Parameter files: each behind those that it imports.
  static func descriptorSet(_ files: [ProtobufFile]) -> [UInt8] {
    var set = ByteWriter()
    for file in files { set.append(ProtobufField(1, "file", .message), file.descriptor) }
    return set.bytes
  }

  /// Field numbers are those of descriptor.proto, as in `ProtobufSchema`; FileDescriptorProto.dependency = 3, syntax = 12;
  /// DescriptorProto.enum_type = 4; EnumDescriptorProto.name = 1, value = 2; EnumValueDescriptorProto.name = 1, number = 2.
  private var descriptor: ByteWriter {
    var file = ByteWriter()
    file.append(ProtobufField(1, "name", .string), name)
    file.append(ProtobufField(2, "package", .string), package)
    for name in imports { file.append(ProtobufField(3, "dependency", .string), name) }
    file.append(ProtobufField(4, "message_type", .message), messageDescriptor)
    file.append(ProtobufField(12, "syntax", .string), "proto3")
    return file
  }

  private var messageDescriptor: ByteWriter {
    var result = ByteWriter()
    result.append(ProtobufField(1, "name", .string), message.name)
    for field in message.fields {
      var descriptor = ByteWriter()
      descriptor.append(ProtobufField(1, "name", .string), field.field.name)
      descriptor.append(ProtobufField(3, "number", .uint64), field.field.number)
      descriptor.append(ProtobufField(4, "label", .uint64), field.isRepeated ? UInt64(3) : 1)
      descriptor.append(ProtobufField(5, "type", .uint64), field.field.kind.rawValue)
      if let type = field.typeName { descriptor.append(ProtobufField(6, "type_name", .string), ".\(type)") }
      result.append(ProtobufField(2, "field", .message), descriptor)
    }
    if let enumeration = message.enumeration {
      var descriptor = ByteWriter()
      descriptor.append(ProtobufField(1, "name", .string), enumeration.name)
      for (number, name) in enumeration.values.enumerated() {
        var value = ByteWriter()
        value.append(ProtobufField(1, "name", .string), name)
        value.append(ProtobufField(2, "number", .uint64), UInt64(number))
        descriptor.append(ProtobufField(2, "value", .message), value)
      }
      result.append(ProtobufField(4, "enum_type", .message), descriptor)
    }
    return result
  }
}
