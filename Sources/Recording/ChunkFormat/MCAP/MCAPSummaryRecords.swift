import FrameModel
import Support

// Records of the summary section, with fields in file order. Offsets count from the file's start.

/// Location of a chunk record and of the message indexes after it.
package struct MCAPChunkIndex: Hashable, Sendable, MCAPRecordContents {
  /// Earliest and latest log time, nanoseconds.
  package var startTime: UInt64
  package var endTime: UInt64
  package var offset: UInt64
  package var length: UInt64
  package var messageIndexes: [MessageIndexPlace]
  /// Total size of this chunk's message indexes.
  package var messageIndexByteCount: UInt64
  package var compression: String
  package var compressedByteCount: UInt64
  package var uncompressedByteCount: UInt64

  package struct MessageIndexPlace: Hashable, Sendable {
    package var channel: UInt16
    package var offset: UInt64
  }

  static let opcode = MCAP.Opcode.chunkIndex

  init(
    startTime: UInt64, endTime: UInt64, offset: UInt64, length: UInt64, messageIndexes: [MessageIndexPlace],
    messageIndexByteCount: UInt64, compression: String, compressedByteCount: UInt64,
    uncompressedByteCount: UInt64
  ) {
    self.startTime = startTime
    self.endTime = endTime
    self.offset = offset
    self.length = length
    self.messageIndexes = messageIndexes
    self.messageIndexByteCount = messageIndexByteCount
    self.compression = compression
    self.compressedByteCount = compressedByteCount
    self.uncompressedByteCount = uncompressedByteCount
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    startTime = try reader.fixed(UInt64.self)
    endTime = try reader.fixed(UInt64.self)
    offset = try reader.fixed(UInt64.self)
    length = try reader.fixed(UInt64.self)
    messageIndexes = []
    var list = ByteReader(try reader.prefixedBytes())
    while !list.isAtEnd {
      messageIndexes.append(
        MessageIndexPlace(channel: try list.fixed(UInt16.self), offset: try list.fixed(UInt64.self)))
    }
    messageIndexByteCount = try reader.fixed(UInt64.self)
    compression = try reader.prefixedString()
    compressedByteCount = try reader.fixed(UInt64.self)
    uncompressedByteCount = try reader.fixed(UInt64.self)
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: startTime)
    writer.append(fixed: endTime)
    writer.append(fixed: offset)
    writer.append(fixed: length)
    writer.append {
      for entry in messageIndexes {
        $0.append(fixed: entry.channel)
        $0.append(fixed: entry.offset)
      }
    }
    writer.append(fixed: messageIndexByteCount)
    writer.append(prefixed: compression)
    writer.append(fixed: compressedByteCount)
    writer.append(fixed: uncompressedByteCount)
  }
}

package struct MCAPAttachmentIndex: Hashable, Sendable, MCAPRecordContents {
  package var offset: UInt64
  package var length: UInt64
  /// Nanoseconds.
  package var logTime: UInt64
  package var createTime: UInt64
  package var dataByteCount: UInt64
  package var name: String
  package var mediaType: String

  static let opcode = MCAP.Opcode.attachmentIndex

  init(offset: UInt64, length: UInt64, of attachment: MCAPAttachment) {
    self.offset = offset
    self.length = length
    logTime = attachment.logTime
    createTime = attachment.createTime
    dataByteCount = UInt64(attachment.data.count)
    name = attachment.name
    mediaType = attachment.mediaType
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    offset = try reader.fixed(UInt64.self)
    length = try reader.fixed(UInt64.self)
    logTime = try reader.fixed(UInt64.self)
    createTime = try reader.fixed(UInt64.self)
    dataByteCount = try reader.fixed(UInt64.self)
    name = try reader.prefixedString()
    mediaType = try reader.prefixedString()
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: offset)
    writer.append(fixed: length)
    writer.append(fixed: logTime)
    writer.append(fixed: createTime)
    writer.append(fixed: dataByteCount)
    writer.append(prefixed: name)
    writer.append(prefixed: mediaType)
  }
}

package struct MCAPMetadataIndex: Hashable, Sendable, MCAPRecordContents {
  package var offset: UInt64
  package var length: UInt64
  package var name: String

  static let opcode = MCAP.Opcode.metadataIndex

  init(offset: UInt64, length: UInt64, name: String) {
    self.offset = offset
    self.length = length
    self.name = name
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    offset = try reader.fixed(UInt64.self)
    length = try reader.fixed(UInt64.self)
    name = try reader.prefixedString()
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: offset)
    writer.append(fixed: length)
    writer.append(prefixed: name)
  }
}

package struct MCAPStatistics: Hashable, Sendable, MCAPRecordContents {
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

  package struct ChannelCount: Hashable, Sendable {
    package var channel: UInt16
    package var count: UInt64
  }

  static let opcode = MCAP.Opcode.statistics

  init() {}

  init(from reader: inout ByteReader) throws(RetakeError) {
    messageCount = try reader.fixed(UInt64.self)
    schemaCount = try reader.fixed(UInt16.self)
    channelCount = try reader.fixed(UInt32.self)
    attachmentCount = try reader.fixed(UInt32.self)
    metadataCount = try reader.fixed(UInt32.self)
    chunkCount = try reader.fixed(UInt32.self)
    startTime = try reader.fixed(UInt64.self)
    endTime = try reader.fixed(UInt64.self)
    var list = ByteReader(try reader.prefixedBytes())
    while !list.isAtEnd {
      messageCounts.append(
        ChannelCount(channel: try list.fixed(UInt16.self), count: try list.fixed(UInt64.self)))
    }
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: messageCount)
    writer.append(fixed: schemaCount)
    writer.append(fixed: channelCount)
    writer.append(fixed: attachmentCount)
    writer.append(fixed: metadataCount)
    writer.append(fixed: chunkCount)
    writer.append(fixed: startTime)
    writer.append(fixed: endTime)
    writer.append {
      for entry in messageCounts {
        $0.append(fixed: entry.channel)
        $0.append(fixed: entry.count)
      }
    }
  }
}

package struct MCAPSummaryOffset: Hashable, Sendable, MCAPRecordContents {
  package var groupOpcode: UInt8
  package var groupStart: UInt64
  package var groupLength: UInt64

  static let opcode = MCAP.Opcode.summaryOffset

  init(groupOpcode: UInt8, groupStart: UInt64, groupLength: UInt64) {
    self.groupOpcode = groupOpcode
    self.groupStart = groupStart
    self.groupLength = groupLength
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    groupOpcode = try reader.fixed(UInt8.self)
    groupStart = try reader.fixed(UInt64.self)
    groupLength = try reader.fixed(UInt64.self)
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(groupOpcode)
    writer.append(fixed: groupStart)
    writer.append(fixed: groupLength)
  }
}

package struct MCAPFooter: Hashable, Sendable, MCAPRecordContents {
  /// 0 without a summary.
  package var summaryStart: UInt64
  /// 0 without summary offsets.
  package var summaryOffsetStart: UInt64
  /// CRC-32 of the summary and this record up to here; 0 if not computed.
  package var summaryCRC: UInt32

  static let opcode = MCAP.Opcode.footer

  init(summaryStart: UInt64, summaryOffsetStart: UInt64, summaryCRC: UInt32) {
    self.summaryStart = summaryStart
    self.summaryOffsetStart = summaryOffsetStart
    self.summaryCRC = summaryCRC
  }

  init(from reader: inout ByteReader) throws(RetakeError) {
    summaryStart = try reader.fixed(UInt64.self)
    summaryOffsetStart = try reader.fixed(UInt64.self)
    summaryCRC = try reader.fixed(UInt32.self)
  }

  func encode(to writer: inout ByteWriter) {
    writer.append(fixed: summaryStart)
    writer.append(fixed: summaryOffsetStart)
    writer.append(fixed: summaryCRC)
  }
}
