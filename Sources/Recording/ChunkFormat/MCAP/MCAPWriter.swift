import Kernels
import Support

/// Destination of bytes: a file, memory, or a simulated disk.
package protocol ByteSink {
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError)
  /// Discards everything after the first `byteCount` bytes. Writing continues there.
  mutating func truncate(to byteCount: Int) throws(RetakeError)
}

/// Writes one complete MCAP file with all checksums, holding one chunk in memory. Records are
/// written in the order given, so equal input gives equal files.
package struct MCAPWriter<Sink: ByteSink> {
  package var sink: Sink
  /// Bytes given to the sink so far.
  package private(set) var fileOffset = 0
  let options: MCAPWriterOptions

  // In order of declaration; the message lists below have one entry per channel.
  private(set) var schemas: [MCAPSchema] = []
  private(set) var channels: [MCAPChannel] = []
  private var schemaPositions: [UInt16: Int] = [:]
  private var channelPositions: [UInt16: Int] = [:]

  // The open chunk.
  var chunk = ByteWriter()
  var messageIndexes: [[MCAPMessageIndex.Entry]] = []
  private var chunkStartTime = UInt64.max
  private var chunkEndTime: UInt64 = 0
  /// Schemas and channels declared in the open chunk.
  private var openSchemaCount = 0
  private var openChannelCount = 0
  var compressor: ZstdCompressor?

  // For the summary.
  var chunkIndexes: [MCAPChunkIndex] = []
  private(set) var attachmentIndexes: [MCAPAttachmentIndex] = []
  private(set) var metadataIndexes: [MCAPMetadataIndex] = []
  var chunkCount: UInt32 = 0
  private(set) var messageCounts: [UInt64] = []
  private(set) var startTime = UInt64.max
  private(set) var endTime: UInt64 = 0
  private(set) var dataCRC: UInt32 = 0

  package init(to sink: Sink, header: MCAPHeader, options: MCAPWriterOptions) throws(RetakeError) {
    self.sink = sink
    self.options = options
    var start = ByteWriter()
    start.append(MCAP.magic)
    start.append(header)
    try writeData(start)
  }

  // MARK: - Declarations

  /// - Throws: `.corrupt` for the id 0, or one that another schema has.
  package mutating func add(_ schema: MCAPSchema) throws(RetakeError) {
    if let known = schemaPositions[schema.id].map({ schemas[$0] }) {
      guard known == schema else {
        throw RetakeError(
          .corrupt, "Schema \(schema.id) is declared twice, as '\(known.name)' and '\(schema.name)'.")
      }
      return
    }
    guard schema.id != 0 else { throw RetakeError(.corrupt, "Schema '\(schema.name)' has the id 0.") }
    if try declare(schema) { openSchemaCount += 1 }
    schemaPositions[schema.id] = schemas.count
    schemas.append(schema)
  }

  /// - Throws: `.corrupt` for an id that another channel has, or an undeclared schema.
  package mutating func add(_ channel: MCAPChannel) throws(RetakeError) {
    if let known = channelPositions[channel.id].map({ channels[$0] }) {
      guard known == channel else {
        throw RetakeError(
          .corrupt, "Channel \(channel.id) is declared twice, as '\(known.topic)' and '\(channel.topic)'.")
      }
      return
    }
    guard channel.schema == 0 || schemaPositions[channel.schema] != nil else {
      throw RetakeError(
        .corrupt, "Channel '\(channel.topic)' refers to schema \(channel.schema), which does not exist.")
    }
    if try declare(channel) { openChannelCount += 1 }
    channelPositions[channel.id] = channels.count
    channels.append(channel)
    messageIndexes.append([])
    messageCounts.append(0)
  }

  /// - Returns: whether the record is in the open chunk.
  private mutating func declare<Record: MCAPRecordContents>(_ record: Record) throws(RetakeError) -> Bool {
    guard options.chunkByteCountTarget != nil, options.declaresInChunks else {
      _ = try writeOutside(record)
      return false
    }
    chunk.append(record)
    return true
  }

  // MARK: - Messages, attachments, metadata

  /// Adds a message whose data `body` appends.
  /// - Returns: where its record will be: the offset counts from the start of the file, or of the
  ///   chunk's records if chunks are compressed.
  package mutating func append(
    channel: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64,
    _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> (offset: Int, length: Int) {
    guard let position = channelPositions[channel] else {
      throw RetakeError(.corrupt, "A message refers to channel \(channel), which does not exist.")
    }
    let start = chunk.count
    chunk.appendRecord(.message) {
      $0.append(fixed: channel)
      $0.append(fixed: sequence)
      $0.append(fixed: logTime)
      $0.append(fixed: publishTime)
      body(&$0)
    }
    let length = chunk.count - start
    guard let target = options.chunkByteCountTarget else {
      defer { chunk.removeAll() }
      let offset = fileOffset
      try writeKeepingWhole([chunk.bytes])
      messageCounts[position] += 1
      note(from: logTime, to: logTime)
      return (offset, length)
    }
    messageIndexes[position].append(.init(time: logTime, offset: UInt64(start)))
    messageCounts[position] += 1
    chunkStartTime = min(chunkStartTime, logTime)
    chunkEndTime = max(chunkEndTime, logTime)
    let recordsOffset = options.compression == .none ? fileOffset + MCAPChunk.uncompressedHeadByteCount : 0
    let place = (recordsOffset + start, length)
    if chunk.count >= target { try flushChunk() }
    return place
  }

  package mutating func add(_ attachment: MCAPAttachment) throws(RetakeError) {
    let place = try writeOutside(attachment)
    attachmentIndexes.append(
      MCAPAttachmentIndex(
        offset: place.offset, length: place.length, logTime: attachment.logTime, createTime: attachment.createTime,
        dataByteCount: UInt64(attachment.data.count), name: attachment.name, mediaType: attachment.mediaType))
  }

  package mutating func add(_ metadata: MCAPMetadata) throws(RetakeError) {
    let place = try writeOutside(metadata)
    metadataIndexes.append(
      MCAPMetadataIndex(offset: place.offset, length: place.length, name: metadata.name))
  }

  private mutating func writeOutside<Record: MCAPRecordContents>(_ record: Record) throws(RetakeError) -> (
    offset: UInt64, length: UInt64
  ) {
    try flushChunk()
    let offset = fileOffset
    var bytes = ByteWriter()
    bytes.append(record)
    try writeKeepingWhole([bytes.bytes])
    return (UInt64(offset), UInt64(bytes.count))
  }

  // MARK: - Chunks

  var hasOpenChunk: Bool { chunk.count > 0 }

  /// Writes the open chunk and its message indexes. If the sink fails, the file is truncated to the
  /// chunks before: messages, schemas and channels of this chunk are lost. The file can still be
  /// finished, and `fileOffset` tells which messages are in it.
  package mutating func flushChunk() throws(RetakeError) {
    guard chunk.count > 0 else { return }
    defer { resetChunk() }
    do throws(RetakeError) {
      try writeChunk(from: chunkStartTime == .max ? 0 : chunkStartTime, to: chunkEndTime)
    } catch {
      for index in messageIndexes.indices { messageCounts[index] -= UInt64(messageIndexes[index].count) }
      forgetDeclarations()
      throw error
    }
    note(from: chunkStartTime, to: chunkEndTime)
  }

  private mutating func forgetDeclarations() {
    for schema in schemas.suffix(openSchemaCount) { schemaPositions[schema.id] = nil }
    for channel in channels.suffix(openChannelCount) { channelPositions[channel.id] = nil }
    schemas.removeLast(openSchemaCount)
    channels.removeLast(openChannelCount)
    messageIndexes.removeLast(openChannelCount)
    messageCounts.removeLast(openChannelCount)
  }

  private mutating func resetChunk() {
    chunk.removeAll()
    for index in messageIndexes.indices { messageIndexes[index].removeAll(keepingCapacity: true) }
    chunkStartTime = .max
    chunkEndTime = 0
    openSchemaCount = 0
    openChannelCount = 0
  }

  private mutating func note(from start: UInt64, to end: UInt64) {
    startTime = min(startTime, start)
    endTime = max(endTime, end)
  }

  // MARK: - Bytes

  /// Writes all parts to the data section, or none.
  /// - Parameter crcs: CRCs that are already known, by index of the part.
  mutating func writeKeepingWhole(_ parts: [[UInt8]], crcs: [Int: UInt32] = [:]) throws(RetakeError) {
    let kept = (offset: fileOffset, crc: dataCRC)
    do throws(RetakeError) {
      for (position, part) in parts.enumerated() { try writeData(part, crc: crcs[position]) }
    } catch {
      (fileOffset, dataCRC) = kept
      try? sink.truncate(to: fileOffset)  // the first error is the one to report
      throw error
    }
  }

  private mutating func writeData(_ part: ByteWriter) throws(RetakeError) { try writeData(part.bytes) }

  /// Writes bytes that DataEnd's CRC covers: all before it. For most, the chunk's CRC is known.
  private mutating func writeData(_ part: [UInt8], crc: UInt32? = nil) throws(RetakeError) {
    if let crc {
      dataCRC = Checksum.crc32(of: dataCRC, followedBy: crc, byteCount: part.count)
    } else {
      dataCRC = part.withRawBytes { Checksum.crc32($0, continuing: dataCRC) }
    }
    try write(part)
  }

  mutating func write(_ part: [UInt8]) throws(RetakeError) {
    try part.withRawBytes { bytes throws(RetakeError) in try sink.write(bytes) }
    fileOffset += part.count
  }
}
