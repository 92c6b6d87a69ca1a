/// A third-party .proto file (proto3, with imports), limited to messages that Retake writes.
struct ProtobufFile {
  struct Message {
    var name: String
    var fields: [Field]
    /// Nested in the message; its values count from 0.
    var enumeration: (name: String, values: [String])?
  }

  struct Field {
    var field: ProtobufField
    var isRepeated = false
    /// With package, as in "google.protobuf.Timestamp".
    var typeName: String?
  }

  var name: String
  var package: String
  var imports: [String]
  var message: Message

  var fullName: String { "\(package).\(message.name)" }

  /// A serialized FileDescriptorSet, as MCAP requires.
  /// - Parameter files: each after the files it imports.
  static func descriptorSet(_ files: [ProtobufFile]) -> [UInt8] {
    var set = ByteWriter()
    for file in files { set.append(ProtobufField(1, "file", .message), file.descriptor) }
    return set.bytes
  }

  /// Field names and numbers are those of descriptor.proto, as in `ProtobufSchema`.
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
      result.append(descriptorOf: field.field, isRepeated: field.isRepeated, typeName: field.typeName)
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
