import FrameModel
import Support

/// Reads or writes the fields of a record, in file order.
protocol MCAPFieldCoder {
  associatedtype Failure: Error
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(Failure)
  mutating func code(_ text: inout String) throws(Failure)
  mutating func code(_ data: inout [UInt8]) throws(Failure)
  mutating func code(_ map: inout [StreamDescription.Setting]) throws(Failure)
  mutating func code<Entry: MCAPFields>(_ list: inout [Entry]) throws(Failure)
  /// Bytes after a UInt64 length, not copied.
  mutating func code(_ bytes: inout UnsafeRawBufferPointer) throws(Failure)
  /// The bytes up to the record's end, not copied.
  mutating func code(rest: inout UnsafeRawBufferPointer) throws(Failure)
}

/// Fields that are read and written in the same order.
protocol MCAPFields {
  init()
  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure)
}

extension MCAPFields {
  package init(from reader: inout ByteReader) throws(RetakeError) {
    self.init()
    try code(by: &reader)
  }

  package func encode(to writer: inout ByteWriter) {
    var fields = self
    fields.code(by: &writer)
  }
}

extension ByteReader: MCAPFieldCoder {
  typealias Failure = RetakeError

  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(RetakeError) {
    number = try fixed(Number.self)
  }

  mutating func code(_ text: inout String) throws(RetakeError) { text = try prefixedString() }

  mutating func code(_ data: inout [UInt8]) throws(RetakeError) { data = Array(try prefixedBytes()) }

  mutating func code(_ map: inout [StreamDescription.Setting]) throws(RetakeError) { map = try self.map() }

  mutating func code<Entry: MCAPFields>(_ list: inout [Entry]) throws(RetakeError) {
    var entries = ByteReader(try prefixedBytes())
    while !entries.isAtEnd { list.append(try Entry(from: &entries)) }
  }

  mutating func code(_ bytes: inout UnsafeRawBufferPointer) throws(RetakeError) {
    bytes = try take(try fixed(UInt64.self))
  }

  mutating func code(rest: inout UnsafeRawBufferPointer) throws(RetakeError) { rest = try take(remaining) }
}

extension ByteWriter: MCAPFieldCoder {
  typealias Failure = Never

  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) { append(fixed: number) }
  mutating func code(_ text: inout String) { append(prefixed: text) }
  mutating func code(_ data: inout [UInt8]) { append(prefixed: data) }
  mutating func code(_ map: inout [StreamDescription.Setting]) { append(map: map) }

  mutating func code<Entry: MCAPFields>(_ list: inout [Entry]) {
    append { for entry in list { entry.encode(to: &$0) } }
  }

  mutating func code(_ bytes: inout UnsafeRawBufferPointer) {
    append(fixed: UInt64(bytes.count))
    append(bytes)
  }

  mutating func code(rest: inout UnsafeRawBufferPointer) { append(rest) }
}
