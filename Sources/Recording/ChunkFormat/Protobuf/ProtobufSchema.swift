/// A message whose schema is stored in files.
protocol DescribedMessage: ProtobufMessage {
  /// Name with its package, such as "google.protobuf.Timestamp".
  static var fullName: String { get }
  /// The type of its `.enumeration` field.
  static var enumeration: EnumDescriptor? { get }
}

extension DescribedMessage {
  static var messageType: String? { fullName }
  static var enumeration: EnumDescriptor? { nil }

  static var descriptor: MessageDescriptor {
    var list = ProtobufFieldList(owner: Self.self)
    var message = Self()
    message.code(by: &list)
    let name = fullName.split(separator: ".").last.map(String.init) ?? ""
    return MessageDescriptor(name: name, fields: list.fields, enumeration: enumeration)
  }
}

extension MCAPSchema {
  /// A schema of one file without imports.
  /// - Parameter messages: the schema's message last, after the messages that its fields refer to.
  init(id: UInt16, retake messages: [any DescribedMessage.Type]) {
    let descriptors = messages.map { $0.descriptor }
    let name = descriptors.last?.name ?? ""
    let file = FileDescriptor(name: "retake/\(name.lowercased()).proto", package: "retake", messages: descriptors)
    self.init(id: id, name: "retake.\(name)", encoding: "protobuf", data: FileDescriptorSet(files: [file]).bytes)
  }
}

/// Lists the fields of a message, for its schema.
private struct ProtobufFieldList: ProtobufCoder {
  let owner: any DescribedMessage.Type
  var fields: [FieldDescriptor] = []

  mutating func code<Value: ProtobufCodable>(_ field: ProtobufField, _ value: inout Value) {
    let enumeration = field.kind == .enumeration ? owner.enumeration.map { "\(owner.fullName).\($0.name)" } : nil
    fields.append(
      FieldDescriptor(
        name: "\(field.name)", number: field.number, label: Value.isRepeated ? 3 : 1, kind: field.kind.rawValue,
        typeName: (Value.messageType ?? enumeration).map { ".\($0)" }))
  }

  mutating func codeFieldsCRC() {
    var crc: UInt64 = 0
    code(.fieldsCRC, &crc)
  }
}

// MARK: Messages of descriptor.proto

/// The schema of a message in the form that MCAP requires. With it any MCAP reader can decode every field.
struct FileDescriptorSet: ProtobufMessage {
  /// In order of dependency: each file follows the files that it imports.
  var files: [FileDescriptor] = []

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "file", .message, &files)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

struct FileDescriptor: ProtobufMessage {
  var name = ""
  var package = ""
  var imports: [String] = []
  var messages: [MessageDescriptor] = []
  /// Nil for proto2, in which every field can be absent.
  var syntax: String?

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "name", .string, &name)
    try coder.code(2, "package", .string, &package)
    try coder.code(3, "dependency", .string, &imports)
    try coder.code(4, "message_type", .message, &messages)
    try coder.code(12, "syntax", .string, &syntax)
  }
}

struct MessageDescriptor: ProtobufMessage {
  var name = ""
  var fields: [FieldDescriptor] = []
  var enumeration: EnumDescriptor?

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "name", .string, &name)
    try coder.code(2, "field", .message, &fields)
    try coder.code(4, "enum_type", .message, &enumeration)
  }
}

struct FieldDescriptor: ProtobufMessage {
  var name = ""
  var number: UInt64 = 0
  /// 1 for optional, 3 for repeated.
  var label: UInt64 = 1
  var kind: UInt64 = 0
  /// Name of the field's message or enumeration, with its package after a leading dot.
  var typeName: String?

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "name", .string, &name)
    try coder.code(3, "number", .int32, &number)
    try coder.code(4, "label", .enumeration, &label)
    try coder.code(5, "type", .enumeration, &kind)
    try coder.code(6, "type_name", .string, &typeName)
  }
}

struct EnumDescriptor: ProtobufMessage {
  var name = ""
  var values: [Value] = []

  struct Value: ProtobufMessage {
    var name = ""
    var number = 0

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "name", .string, &name)
      try coder.code(2, "number", .int32, &number)
    }
  }

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "name", .string, &name)
    try coder.code(2, "value", .message, &values)
  }
}
