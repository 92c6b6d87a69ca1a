import FrameModel
import Kernels
import Support

extension MCAPWriter {
  /// Writes the open chunk, the summary and the end of the file.
  package mutating func finish() throws(RetakeError) {
    try flushChunk()
    var end = ByteWriter()
    end.append(MCAPDataEnd(dataCRC: dataCRC))
    let covered = end.count
    let summaryStart = fileOffset + covered

    let offsets = appendSummary(to: &end)
    let summaryOffsetStart = fileOffset + end.count
    if options.writesSummaryOffsets {
      for offset in offsets { end.append(offset, padding: options.recordPadding) }
    }
    let hasOffsets = options.writesSummaryOffsets && !offsets.isEmpty
    end.append(
      MCAPFooter(
        summaryStart: offsets.isEmpty ? 0 : UInt64(summaryStart),
        summaryOffsetStart: hasOffsets ? UInt64(summaryOffsetStart) : 0, summaryCRC: 0))
    // The CRC covers the summary and the footer up to the CRC itself.
    let crcOffset = end.count - 4
    let crc = end.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[covered..<crcOffset])) }
    end.replace(at: crcOffset, fixed: crc)
    end.append(MCAP.magic)
    try write(end.bytes)
  }

  /// Appends the summary's records and returns the location of each kind.
  private func appendSummary(to end: inout ByteWriter) -> [MCAPSummaryOffset] {
    var offsets: [MCAPSummaryOffset] = []
    func append<Record: MCAPRecordContents>(_ records: [Record], if isWanted: Bool) {
      guard isWanted, !records.isEmpty else { return }
      let start = end.count
      for record in records { end.append(record, padding: options.recordPadding) }
      offsets.append(
        MCAPSummaryOffset(
          groupOpcode: Record.opcode.rawValue, groupStart: UInt64(fileOffset + start),
          groupLength: UInt64(end.count - start)))
    }
    append(schemas, if: options.repeatsSchemas)
    append(channels, if: options.repeatsChannels)
    append([statistics], if: options.writesStatistics)
    append(chunkIndexes, if: options.writesChunkIndexes)
    append(attachmentIndexes, if: options.writesAttachmentIndexes)
    append(metadataIndexes, if: options.writesMetadataIndexes)
    return offsets
  }

  private var statistics: MCAPStatistics {
    var statistics = MCAPStatistics()
    statistics.messageCount = messageCounts.reduce(0, +)
    statistics.schemaCount = UInt16(schemas.count)
    statistics.channelCount = UInt32(channels.count)
    statistics.attachmentCount = UInt32(attachmentIndexes.count)
    statistics.metadataCount = UInt32(metadataIndexes.count)
    statistics.chunkCount = chunkCount
    statistics.startTime = statistics.messageCount == 0 ? 0 : startTime
    statistics.endTime = endTime
    statistics.messageCounts = zip(channels, messageCounts).map { .init(channel: $0.id, count: $1) }
    return statistics
  }
}
