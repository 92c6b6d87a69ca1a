import FrameModel

// Records of the data section. Fields are in file order.

package struct MCAPHeader: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var profile = ""
  package var library = ""

  package static let opcode = MCAP.Opcode.header

  init() {}

  package init(profile: String, library: String) {
    self.profile = profile
    self.library = library
  }

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&profile)
    try coder.code(&library)
  }
}

package struct MCAPSchema: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  /// Never 0.
  package var id: UInt16 = 0
  package var name = ""
  package var encoding = ""
  package var data: [UInt8] = []

  package static let opcode = MCAP.Opcode.schema

  init() {}

  package init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    self.id = id
    self.name = name
    self.encoding = encoding
    self.data = data
  }

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&id)
    try coder.code(&name)
    try coder.code(&encoding)
    try coder.code(&data)
  }
}

package struct MCAPChannel: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var id: UInt16 = 0
  /// Id of a schema; 0 for none.
  package var schema: UInt16 = 0
  package var topic = ""
  package var messageEncoding = ""
  /// In file order, so that equal input gives equal files.
  package var metadata: [StreamDescription.Setting] = []

  package static let opcode = MCAP.Opcode.channel

  init() {}

  package init(
    id: UInt16, schema: UInt16, topic: String, messageEncoding: String, metadata: [StreamDescription.Setting]
  ) {
    self.id = id
    self.schema = schema
    self.topic = topic
    self.messageEncoding = messageEncoding
    self.metadata = metadata
  }

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&id)
    try coder.code(&schema)
    try coder.code(&topic)
    try coder.code(&messageEncoding)
    try coder.code(&metadata)
  }
}

package struct MCAPMessage: MCAPFields, MCAPRecordContents {
  package var channel: UInt16 = 0
  package var sequence: UInt32 = 0
  /// Nanoseconds.
  package var logTime: UInt64 = 0
  package var publishTime: UInt64 = 0
  /// Points into the decoded bytes.
  package var data = UnsafeRawBufferPointer(start: nil, count: 0)

  package static let opcode = MCAP.Opcode.message

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&channel)
    try coder.code(&sequence)
    try coder.code(&logTime)
    try coder.code(&publishTime)
    try coder.code(rest: &data)
  }
}

/// Locations of one channel's messages in the chunk before it.
package struct MCAPMessageIndex: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var channel: UInt16 = 0
  package var entries: [Entry] = []

  package struct Entry: Hashable, Sendable, MCAPFields {
    /// Log time, nanoseconds.
    package var time: UInt64 = 0
    /// Bytes from the start of the chunk's uncompressed records.
    package var offset: UInt64 = 0

    mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(&time)
      try coder.code(&offset)
    }
  }

  package static let opcode = MCAP.Opcode.messageIndex

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&channel)
    try coder.code(&entries)
  }
}

package struct MCAPMetadata: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var name = ""
  package var entries: [StreamDescription.Setting] = []

  package static let opcode = MCAP.Opcode.metadata

  init() {}

  package init(name: String, entries: [StreamDescription.Setting]) {
    self.name = name
    self.entries = entries
  }

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&name)
    try coder.code(&entries)
  }
}

package struct MCAPDataEnd: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  /// CRC-32 of every byte of the file before this record; 0 if not computed.
  package var dataCRC: UInt32 = 0

  package init() {}
  package init(dataCRC: UInt32) { self.dataCRC = dataCRC }

  package static let opcode = MCAP.Opcode.dataEnd

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) { try coder.code(&dataCRC) }
}
