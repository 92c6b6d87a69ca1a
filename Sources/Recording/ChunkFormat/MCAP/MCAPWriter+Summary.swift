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
    for offset in offsets { end.append(offset) }
    end.append(
      MCAPFooter(
        summaryStart: offsets.isEmpty ? 0 : UInt64(summaryStart),
        summaryOffsetStart: offsets.isEmpty ? 0 : UInt64(summaryOffsetStart), summaryCRC: 0))
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
    func append<Record: MCAPRecordContents>(_ records: [Record]) {
      guard !records.isEmpty else { return }
      let start = end.count
      for record in records { end.append(record) }
      offsets.append(
        MCAPSummaryOffset(
          groupOpcode: Record.opcode.rawValue, groupStart: UInt64(fileOffset + start),
          groupLength: UInt64(end.count - start)))
    }
    append(schemas)
    append(channels)
    append([statistics])
    append(chunkIndexes)
    append(attachmentIndexes)
    append(metadataIndexes)
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
