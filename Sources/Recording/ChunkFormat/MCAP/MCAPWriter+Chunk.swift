import Kernels
import Support

extension MCAPWriter {
  /// Writes the open chunk and its message indexes; on failure, neither.
  mutating func writeChunk(from startTime: UInt64, to endTime: UInt64) throws(RetakeError) {
    let records = try packed(chunk.bytes)
    var head = ByteWriter()
    head.append(MCAP.Opcode.chunk.rawValue)
    let fieldByteCount =
      MCAPChunk.uncompressedHeadByteCount - MCAP.recordHeaderByteCount + options.compression.rawValue.utf8.count
    head.append(fixed: UInt64(fieldByteCount + records.count))
    head.append(fixed: startTime)
    head.append(fixed: endTime)
    head.append(fixed: UInt64(chunk.count))
    let crc = chunk.withRawBytes { Checksum.crc32($0) }
    head.append(fixed: crc)
    head.append(prefixed: options.compression.rawValue)
    head.append(fixed: UInt64(records.count))

    let chunkOffset = fileOffset
    let chunkLength = head.count + records.count
    var indexes = ByteWriter()
    var places: [MCAPChunkIndex.MessageIndexPlace] = []
    for (channel, entries) in zip(channels, messageIndexes) where !entries.isEmpty {
      places.append(.init(channel: channel.id, offset: UInt64(chunkOffset + chunkLength + indexes.count)))
      indexes.append(MCAPMessageIndex(channel: channel.id, entries: entries))
    }
    // The CRC is that of the uncompressed records, so it is known only for those.
    try writeKeepingWhole([head.bytes, records, indexes.bytes], crcs: options.compression == .none ? [1: crc] : [:])
    chunkCount += 1
    chunkIndexes.append(
      MCAPChunkIndex(
        startTime: startTime, endTime: endTime, offset: UInt64(chunkOffset), length: UInt64(chunkLength),
        messageIndexes: places, messageIndexByteCount: UInt64(indexes.count),
        compression: options.compression.rawValue, compressedByteCount: UInt64(records.count),
        uncompressedByteCount: UInt64(chunk.count)))
  }

  private mutating func packed(_ records: [UInt8]) throws(RetakeError) -> [UInt8] {
    guard options.compression == .zstd else { return records }
    if compressor == nil { compressor = try ZstdCompressor() }
    guard let packed = compressor?.compressed(records) else {
      throw RetakeError(.inputOutput, "zstd could not compress a chunk.")
    }
    return packed
  }
}
