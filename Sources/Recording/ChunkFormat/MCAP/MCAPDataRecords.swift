import FrameModel
import Support

// Records of the data section. Fields are in file order.

package struct MCAPHeader: Hashable, Sendable, MCAPRecordContents {
  package var profile: String
  package var library: String

  static let opcode = MCAP.Opcode.header

  package init(profile: String, library: String) {
    self.profile = profile
    self.library = library
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    profile = try reader.prefixedString()
    library = try reader.prefixedString()
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(prefixed: profile)
    writer.append(prefixed: library)
  }
}

package struct MCAPSchema: Hashable, Sendable, MCAPRecordContents {
  /// Never 0.
  package var id: UInt16
  package var name: String
  package var encoding: String
  package var data: [UInt8]

  static let opcode = MCAP.Opcode.schema

  package init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    self.id = id
    self.name = name
    self.encoding = encoding
    self.data = data
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    id = try reader.fixed(UInt16.self)
    name = try reader.prefixedString()
    encoding = try reader.prefixedString()
    data = Array(try reader.prefixedBytes())
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: id)
    writer.append(prefixed: name)
    writer.append(prefixed: encoding)
    writer.append(prefixed: data)
  }
}

package struct MCAPChannel: Hashable, Sendable, MCAPRecordContents {
  package var id: UInt16
  /// Id of a schema; 0 for none.
  package var schema: UInt16
  package var topic: String
  package var messageEncoding: String
  /// In file order, so that equal input gives equal files.
  package var metadata: [StreamDescription.Setting]

  static let opcode = MCAP.Opcode.channel

  package init(
    id: UInt16, schema: UInt16, topic: String, messageEncoding: String, metadata: [StreamDescription.Setting]
  ) {
    self.id = id
    self.schema = schema
    self.topic = topic
    self.messageEncoding = messageEncoding
    self.metadata = metadata
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    id = try reader.fixed(UInt16.self)
    schema = try reader.fixed(UInt16.self)
    topic = try reader.prefixedString()
    messageEncoding = try reader.prefixedString()
    metadata = try reader.map()
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: id)
    writer.append(fixed: schema)
    writer.append(prefixed: topic)
    writer.append(prefixed: messageEncoding)
    writer.append(map: metadata)
  }
}

package struct MCAPMessage: MCAPRecordContents {
  package var channel: UInt16
  package var sequence: UInt32
  /// Nanoseconds.
  package var logTime: UInt64
  package var publishTime: UInt64
  /// Points into the decoded bytes.
  package var data: UnsafeRawBufferPointer

  static let opcode = MCAP.Opcode.message

  package init(
    channel: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64, data: UnsafeRawBufferPointer
  ) {
    self.channel = channel
    self.sequence = sequence
    self.logTime = logTime
    self.publishTime = publishTime
    self.data = data
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    channel = try reader.fixed(UInt16.self)
    sequence = try reader.fixed(UInt32.self)
    logTime = try reader.fixed(UInt64.self)
    publishTime = try reader.fixed(UInt64.self)
    data = try reader.take(reader.remaining)
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: channel)
    writer.append(fixed: sequence)
    writer.append(fixed: logTime)
    writer.append(fixed: publishTime)
    writer.append(data)
  }
}

/// Locations of one channel's messages in the chunk before it.
package struct MCAPMessageIndex: Hashable, Sendable, MCAPRecordContents {
  package var channel: UInt16
  package var entries: [Entry]

  package struct Entry: Hashable, Sendable {
    /// Log time, nanoseconds.
    package var time: UInt64
    /// Bytes from the start of the chunk's uncompressed records.
    package var offset: UInt64
  }

  static let opcode = MCAP.Opcode.messageIndex

  init(channel: UInt16, entries: [Entry]) {
    self.channel = channel
    self.entries = entries
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    channel = try reader.fixed(UInt16.self)
    entries = []
    var list = ByteReader(try reader.prefixedBytes())
    while !list.isAtEnd {
      entries.append(Entry(time: try list.fixed(UInt64.self), offset: try list.fixed(UInt64.self)))
    }
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: channel)
    writer.append {
      for entry in entries {
        $0.append(fixed: entry.time)
        $0.append(fixed: entry.offset)
      }
    }
  }
}

package struct MCAPMetadata: Hashable, Sendable, MCAPRecordContents {
  package var name: String
  package var entries: [StreamDescription.Setting]

  static let opcode = MCAP.Opcode.metadata

  package init(name: String, entries: [StreamDescription.Setting]) {
    self.name = name
    self.entries = entries
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    name = try reader.prefixedString()
    entries = try reader.map()
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(prefixed: name)
    writer.append(map: entries)
  }
}

package struct MCAPDataEnd: Hashable, Sendable, MCAPRecordContents {
  /// CRC-32 of every byte of the file before this record; 0 if not computed.
  package var dataCRC: UInt32

  static let opcode = MCAP.Opcode.dataEnd

  init(dataCRC: UInt32) { self.dataCRC = dataCRC }

  init(from reader: inout ByteReader) throws(RetakeError) { dataCRC = try reader.fixed(UInt32.self) }

  func encode(to writer: inout ByteWriter) { writer.append(fixed: dataCRC) }
}
