import FrameModel

/// MCAP (mcap.dev/spec): magic, then records of one opcode byte, a UInt64 length and contents, then magic.
enum MCAP {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  enum Opcode: UInt8 {
    case header = 0x01
    case footer = 0x02
    case schema = 0x03
    case channel = 0x04
    case message = 0x05
    case chunk = 0x06
    case messageIndex = 0x07
    case chunkIndex = 0x08
    case attachment = 0x09
    case attachmentIndex = 0x0A
    case statistics = 0x0B
    case metadata = 0x0C
    case metadataIndex = 0x0D
    case summaryOffset = 0x0E
    case dataEnd = 0x0F
  }

  /// Opcode and length.
  static let recordHeaderByteCount = 9
  /// Channel, sequence and two times, before a message's data.
  static let messageHeaderByteCount = 22
}

package struct MCAPSchema: Hashable, Sendable {
  package var id: UInt16
  package var name: String
  package var encoding: String
  package var data: [UInt8]
}

package struct MCAPChannel: Hashable, Sendable {
  package var id: UInt16
  package var schema: UInt16
  package var topic: String
  package var messageEncoding: String
  /// Written in this order, so that equal input gives equal files.
  package var metadata: [StreamDescription.Setting]
}

package struct MCAPMetadata: Hashable, Sendable {
  package var name: String
  package var entries: [StreamDescription.Setting]
  package init(name: String, entries: [StreamDescription.Setting]) {
    self.name = name
    self.entries = entries
  }
}

package struct MCAPMessage {
  package var channel: UInt16
  package var sequence: UInt32
  /// Nanoseconds.
  package var logTime: UInt64
  package var publishTime: UInt64
  /// Points into the file's bytes.
  package var data: UnsafeRawBufferPointer
}

extension ByteWriter {
  /// Appends a record whose contents `body` writes.
  mutating func appendRecord(_ opcode: MCAP.Opcode, _ body: (inout ByteWriter) -> Void) {
    append(opcode.rawValue)
    let lengthOffset = count
    append(fixed: UInt64(0))
    body(&self)
    replace(at: lengthOffset, fixed: UInt64(count - lengthOffset - 8))
  }

  mutating func append(map entries: [StreamDescription.Setting]) {
    var map = ByteWriter()
    for entry in entries {
      map.append(prefixed: entry.name)
      map.append(prefixed: entry.value)
    }
    append(prefixed: map.bytes)
  }

  mutating func append(_ schema: MCAPSchema) {
    appendRecord(.schema) {
      $0.append(fixed: schema.id)
      $0.append(prefixed: schema.name)
      $0.append(prefixed: schema.encoding)
      $0.append(prefixed: schema.data)
    }
  }

  mutating func append(_ channel: MCAPChannel) {
    appendRecord(.channel) {
      $0.append(fixed: channel.id)
      $0.append(fixed: channel.schema)
      $0.append(prefixed: channel.topic)
      $0.append(prefixed: channel.messageEncoding)
      $0.append(map: channel.metadata)
    }
  }

  mutating func append(_ metadata: MCAPMetadata) {
    appendRecord(.metadata) {
      $0.append(prefixed: metadata.name)
      $0.append(map: metadata.entries)
    }
  }
}

extension ByteReader {
  mutating func map() throws(RetakeError) -> [StreamDescription.Setting] {
    var entries: [StreamDescription.Setting] = []
    var map = ByteReader(try take(Int(try fixed(UInt32.self))))
    while !map.isAtEnd {
      entries.append(StreamDescription.Setting(try map.prefixedString(), try map.prefixedString()))
    }
    return entries
  }

  mutating func message() throws(RetakeError) -> MCAPMessage {
    MCAPMessage(
      channel: try fixed(UInt16.self), sequence: try fixed(UInt32.self), logTime: try fixed(UInt64.self),
      publishTime: try fixed(UInt64.self), data: try take(remaining))
  }

  mutating func channel() throws(RetakeError) -> MCAPChannel {
    MCAPChannel(
      id: try fixed(UInt16.self), schema: try fixed(UInt16.self), topic: try prefixedString(),
      messageEncoding: try prefixedString(), metadata: try map())
  }

  mutating func metadata() throws(RetakeError) -> MCAPMetadata {
    MCAPMetadata(name: try prefixedString(), entries: try map())
  }
}
