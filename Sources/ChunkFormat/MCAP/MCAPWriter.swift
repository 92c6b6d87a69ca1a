import FrameModel

/// Where bytes go: a file, memory, or a simulated disk.
package protocol ByteSink {
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError)
  /// Takes back everything after the first `byteCount` bytes; writing goes on there.
  mutating func truncate(to byteCount: Int) throws(RetakeError)
}

/// Writes one complete MCAP file: chunked without MCAP's compression (frames have codecs of their own), with message
/// indexes, chunk indexes, statistics and checksums.
///
/// Memory holds one chunk. Schemas, channels and metadata come in the order given, so equal input gives equal files.
package struct MCAPWriter<Sink: ByteSink> {
  package private(set) var sink: Sink
  /// Bytes given to the sink so far.
  package private(set) var fileOffset = 0

  private let schemas: [MCAPSchema]
  private let channels: [MCAPChannel]
  private let chunkByteCountTarget: Int

  private var chunk = ByteWriter()
  /// For each channel, in its order: times and offsets of its messages in the open chunk.
  private var messageIndex: [[(time: UInt64, offset: UInt64)]]
  private var chunkStartTime = UInt64.max
  private var chunkEndTime: UInt64 = 0

  private var chunkIndexes: [ChunkIndex] = []
  private var metadataIndexes: [(offset: Int, length: Int, name: String)] = []
  private var messageCounts: [UInt64]
  private var startTime = UInt64.max
  private var endTime: UInt64 = 0
  private var dataCRC: UInt32 = 0

  private struct ChunkIndex {
    var startTime: UInt64
    var endTime: UInt64
    var offset: Int
    var length: Int
    var messageIndexes: [(channel: UInt16, offset: Int)]
    var messageIndexByteCount: Int
    var recordsByteCount: Int
  }

  /// From the start of a chunk record to its first inner record: opcode and length, two times, size, CRC, an empty
  /// compression name, length.
  private static var chunkPrefixByteCount: Int { MCAP.recordHeaderByteCount + 8 + 8 + 8 + 4 + 4 + 8 }

  /// Writes the beginning of the file.
  /// - Parameters:
  ///   - channels: ids count from 0 in order.
  ///   - chunkByteCountTarget: a chunk is written when it holds so many bytes.
  package init(
    to sink: Sink, schemas: [MCAPSchema], channels: [MCAPChannel], metadata: [MCAPMetadata],
    chunkByteCountTarget: Int
  ) throws(RetakeError) {
    precondition(channels.indices.allSatisfy { channels[$0].id == UInt16($0) })
    self.sink = sink
    self.schemas = schemas
    self.channels = channels
    self.chunkByteCountTarget = chunkByteCountTarget
    messageIndex = Array(repeating: [], count: channels.count)
    messageCounts = Array(repeating: 0, count: channels.count)

    var start = ByteWriter()
    start.append(MCAP.magic)
    start.appendRecord(.header) {
      $0.append(prefixed: "")  // no profile
      $0.append(prefixed: "retake")
    }
    for entry in metadata {
      let offset = start.count
      start.append(entry)
      metadataIndexes.append((offset, start.count - offset, entry.name))
    }
    for schema in schemas { start.append(schema) }
    for channel in channels { start.append(channel) }
    try writeData(start)
  }

  /// Adds a message whose data `body` appends.
  /// - Returns: where the message's record will lie in the file, and its length.
  mutating func append(
    channel: UInt16, sequence: UInt32, time: UInt64, _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> (offset: Int, length: Int) {
    let start = chunk.count
    chunk.appendRecord(.message) {
      $0.append(fixed: channel)
      $0.append(fixed: sequence)
      $0.append(fixed: time)
      $0.append(fixed: time)
      body(&$0)
    }
    messageIndex[Int(channel)].append((time, UInt64(start)))
    messageCounts[Int(channel)] += 1
    chunkStartTime = min(chunkStartTime, time)
    chunkEndTime = max(chunkEndTime, time)
    let place = (fileOffset + Self.chunkPrefixByteCount + start, chunk.count - start)
    if chunk.count >= chunkByteCountTarget { try flushChunk() }
    return place
  }

  /// Writes the open chunk and its message indexes.
  ///
  /// When the sink fails, the file is cut back to the chunks before: the messages of this chunk are gone, the file can
  /// still be finished, and `fileOffset` tells which messages are in it.
  package mutating func flushChunk() throws(RetakeError) {
    guard chunk.count > 0 else { return }
    let kept = (offset: fileOffset, crc: dataCRC)
    do throws(RetakeError) {
      try writeChunk()
    } catch {
      (fileOffset, dataCRC) = kept
      resetChunk()
      for index in messageIndex.indices {
        messageCounts[index] -= UInt64(messageIndex[index].count)
        messageIndex[index].removeAll(keepingCapacity: true)
      }
      try? sink.truncate(to: fileOffset)  // the first error is the one to report
      throw error
    }
    for index in messageIndex.indices { messageIndex[index].removeAll(keepingCapacity: true) }
    resetChunk()
  }

  private mutating func resetChunk() {
    chunk.removeAll()
    chunkStartTime = .max
    chunkEndTime = 0
  }

  private mutating func writeChunk() throws(RetakeError) {
    let chunkOffset = fileOffset
    let crc = chunk.withRawBytes { Checksum.crc32($0) }
    var prefix = ByteWriter()
    prefix.append(MCAP.Opcode.chunk.rawValue)
    prefix.append(fixed: UInt64(Self.chunkPrefixByteCount - MCAP.recordHeaderByteCount + chunk.count))
    prefix.append(fixed: chunkStartTime)
    prefix.append(fixed: chunkEndTime)
    prefix.append(fixed: UInt64(chunk.count))
    prefix.append(fixed: crc)
    prefix.append(prefixed: "")
    prefix.append(fixed: UInt64(chunk.count))
    try writeData(prefix)
    try writeData(chunk)

    let indexOffset = fileOffset
    var indexes = ByteWriter()
    var offsets: [(channel: UInt16, offset: Int)] = []
    for channel in channels where !messageIndex[Int(channel.id)].isEmpty {
      offsets.append((channel.id, indexOffset + indexes.count))
      indexes.appendRecord(.messageIndex) {
        $0.append(fixed: channel.id)
        $0.append(fixed: UInt32(messageIndex[Int(channel.id)].count * 16))
        for entry in messageIndex[Int(channel.id)] {
          $0.append(fixed: entry.time)
          $0.append(fixed: entry.offset)
        }
      }
    }
    try writeData(indexes)
    chunkIndexes.append(
      ChunkIndex(
        startTime: chunkStartTime, endTime: chunkEndTime, offset: chunkOffset,
        length: indexOffset - chunkOffset, messageIndexes: offsets, messageIndexByteCount: indexes.count,
        recordsByteCount: chunk.count))
    startTime = min(startTime, chunkStartTime)
    endTime = max(endTime, chunkEndTime)
  }

  /// Writes what is left, the summary and the end of the file.
  package mutating func finish() throws(RetakeError) {
    try flushChunk()
    var end = ByteWriter()
    end.appendRecord(.dataEnd) { $0.append(fixed: dataCRC) }
    let summaryStart = fileOffset + end.count

    var groups: [(opcode: MCAP.Opcode, start: Int, length: Int)] = []
    func group(_ opcode: MCAP.Opcode, _ body: (inout ByteWriter) -> Void) {
      let start = end.count
      body(&end)
      if end.count > start { groups.append((opcode, fileOffset + start, end.count - start)) }
    }
    group(.schema) { for schema in schemas { $0.append(schema) } }
    group(.channel) { for channel in channels { $0.append(channel) } }
    group(.statistics) { appendStatistics(to: &$0) }
    group(.chunkIndex) { for index in chunkIndexes { append(index, to: &$0) } }
    group(.metadataIndex) { writer in
      for entry in metadataIndexes {
        writer.appendRecord(.metadataIndex) {
          $0.append(fixed: UInt64(entry.offset))
          $0.append(fixed: UInt64(entry.length))
          $0.append(prefixed: entry.name)
        }
      }
    }
    let summaryOffsetStart = fileOffset + end.count
    for group in groups {
      end.appendRecord(.summaryOffset) {
        $0.append(group.opcode.rawValue)
        $0.append(fixed: UInt64(group.start))
        $0.append(fixed: UInt64(group.length))
      }
    }
    // The summary's CRC covers it and the footer up to the CRC itself.
    end.append(MCAP.Opcode.footer.rawValue)
    end.append(fixed: UInt64(20))
    end.append(fixed: UInt64(summaryStart))
    end.append(fixed: UInt64(summaryOffsetStart))
    let covered = summaryStart - fileOffset
    let crc = end.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[covered...])) }
    end.append(fixed: crc)
    end.append(MCAP.magic)
    try write(end)
  }

  private func appendStatistics(to writer: inout ByteWriter) {
    writer.appendRecord(.statistics) {
      let total = messageCounts.reduce(0, +)
      $0.append(fixed: total)
      $0.append(fixed: UInt16(schemas.count))
      $0.append(fixed: UInt32(channels.count))
      $0.append(fixed: UInt32(0))  // attachments
      $0.append(fixed: UInt32(metadataIndexes.count))
      $0.append(fixed: UInt32(chunkIndexes.count))
      $0.append(fixed: total == 0 ? 0 : startTime)
      $0.append(fixed: endTime)
      $0.append(fixed: UInt32(channels.count * 10))
      for channel in channels {
        $0.append(fixed: channel.id)
        $0.append(fixed: messageCounts[Int(channel.id)])
      }
    }
  }

  private func append(_ index: ChunkIndex, to writer: inout ByteWriter) {
    writer.appendRecord(.chunkIndex) {
      $0.append(fixed: index.startTime)
      $0.append(fixed: index.endTime)
      $0.append(fixed: UInt64(index.offset))
      $0.append(fixed: UInt64(index.length))
      $0.append(fixed: UInt32(index.messageIndexes.count * 10))
      for entry in index.messageIndexes {
        $0.append(fixed: entry.channel)
        $0.append(fixed: UInt64(entry.offset))
      }
      $0.append(fixed: UInt64(index.messageIndexByteCount))
      $0.append(prefixed: "")
      $0.append(fixed: UInt64(index.recordsByteCount))
      $0.append(fixed: UInt64(index.recordsByteCount))
    }
  }

  /// What DataEnd's CRC covers: every byte before it.
  private mutating func writeData(_ part: ByteWriter) throws(RetakeError) {
    dataCRC = part.withRawBytes { Checksum.crc32($0, continuing: dataCRC) }
    try write(part)
  }

  private mutating func write(_ part: ByteWriter) throws(RetakeError) {
    try part.bytes.withRawBytes { bytes throws(RetakeError) in try sink.write(bytes) }
    fileOffset += part.count
  }
}
