import Support

/// A repeated field of doubles. Written packed, as proto3 does; read packed or one by one.
package struct PackedDoubles: ProtobufCodable, Hashable, Sendable {
  package var values: [Double]
  /// More than any matrix or lens model has.
  private static let limit = 64

  package init(_ values: [Double] = []) { self.values = values }

  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    self.init()
    try read(value, of: field)
  }

  mutating func read(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    let size = MemoryLayout<Double>.size
    let count = value.wireType == 2 ? value.data.count / size : 1
    guard values.count + count <= Self.limit else {
      throw RetakeError(.corrupt, "A message has more than \(Self.limit) numbers in '\(field.name)'.")
    }
    guard value.wireType == 2 else { return values.append(Double(bitPattern: value.word)) }
    var reader = ByteReader(value.data)
    for _ in 0..<count { values.append(Double(bitPattern: try reader.fixed(UInt64.self))) }
  }

  func write(to writer: inout ByteWriter, as field: ProtobufField) {
    guard !values.isEmpty else { return }
    var packed = ByteWriter()
    for value in values { packed.append(fixed: value.bitPattern) }
    packed.withRawBytes {
      $0.write(to: &writer, as: ProtobufField(number: field.number, name: field.name, kind: .bytes))
    }
  }

  static var isRepeated: Bool { true }
}
