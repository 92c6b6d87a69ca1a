// Records of the summary section, with fields in file order. Offsets count from the file's start.

/// Location of a chunk record and of the message indexes after it.
package struct MCAPChunkIndex: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  /// Earliest and latest log time, nanoseconds.
  package var startTime: UInt64 = 0
  package var endTime: UInt64 = 0
  package var offset: UInt64 = 0
  package var length: UInt64 = 0
  package var messageIndexes: [MessageIndexPlace] = []
  /// Total size of this chunk's message indexes.
  package var messageIndexByteCount: UInt64 = 0
  package var compression = ""
  package var compressedByteCount: UInt64 = 0
  package var uncompressedByteCount: UInt64 = 0

  package struct MessageIndexPlace: Hashable, Sendable, MCAPFields {
    package var channel: UInt16 = 0
    package var offset: UInt64 = 0

    mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(&channel)
      try coder.code(&offset)
    }
  }

  package static let opcode = MCAP.Opcode.chunkIndex

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&startTime)
    try coder.code(&endTime)
    try coder.code(&offset)
    try coder.code(&length)
    try coder.code(&messageIndexes)
    try coder.code(&messageIndexByteCount)
    try coder.code(&compression)
    try coder.code(&compressedByteCount)
    try coder.code(&uncompressedByteCount)
  }
}

package struct MCAPAttachmentIndex: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var offset: UInt64 = 0
  package var length: UInt64 = 0
  /// Nanoseconds.
  package var logTime: UInt64 = 0
  package var createTime: UInt64 = 0
  package var dataByteCount: UInt64 = 0
  package var name = ""
  package var mediaType = ""

  package static let opcode = MCAP.Opcode.attachmentIndex

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&offset)
    try coder.code(&length)
    try coder.code(&logTime)
    try coder.code(&createTime)
    try coder.code(&dataByteCount)
    try coder.code(&name)
    try coder.code(&mediaType)
  }
}

package struct MCAPMetadataIndex: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var offset: UInt64 = 0
  package var length: UInt64 = 0
  package var name = ""

  package static let opcode = MCAP.Opcode.metadataIndex

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&offset)
    try coder.code(&length)
    try coder.code(&name)
  }
}

package struct MCAPStatistics: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var messageCount: UInt64 = 0
  package var schemaCount: UInt16 = 0
  package var channelCount: UInt32 = 0
  package var attachmentCount: UInt32 = 0
  package var metadataCount: UInt32 = 0
  package var chunkCount: UInt32 = 0
  /// Earliest and latest log time, nanoseconds; 0 when there is no message.
  package var startTime: UInt64 = 0
  package var endTime: UInt64 = 0
  package var messageCounts: [ChannelCount] = []

  package struct ChannelCount: Hashable, Sendable, MCAPFields {
    package var channel: UInt16 = 0
    package var count: UInt64 = 0

    mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(&channel)
      try coder.code(&count)
    }
  }

  package static let opcode = MCAP.Opcode.statistics

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&messageCount)
    try coder.code(&schemaCount)
    try coder.code(&channelCount)
    try coder.code(&attachmentCount)
    try coder.code(&metadataCount)
    try coder.code(&chunkCount)
    try coder.code(&startTime)
    try coder.code(&endTime)
    try coder.code(&messageCounts)
  }
}

package struct MCAPSummaryOffset: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  package var groupOpcode: UInt8 = 0
  package var groupStart: UInt64 = 0
  package var groupLength: UInt64 = 0

  package static let opcode = MCAP.Opcode.summaryOffset

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&groupOpcode)
    try coder.code(&groupStart)
    try coder.code(&groupLength)
  }
}

package struct MCAPFooter: Hashable, Sendable, MCAPFields, MCAPRecordContents {
  /// 0 without a summary.
  package var summaryStart: UInt64 = 0
  /// 0 without summary offsets.
  package var summaryOffsetStart: UInt64 = 0
  /// CRC-32 of the summary and this record up to here; 0 if not computed.
  package var summaryCRC: UInt32 = 0

  package static let opcode = MCAP.Opcode.footer

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&summaryStart)
    try coder.code(&summaryOffsetStart)
    try coder.code(&summaryCRC)
  }
}
