import CZstd
import FrameModel
import Kernels
import Support

extension MCAPWriter {
  /// Writes the open chunk and its message indexes; on failure, neither.
  mutating func writeChunk(from startTime: UInt64, to endTime: UInt64) throws(RetakeError) {
    let records = try packer.pack(chunk.bytes)
    var head = ByteWriter()
    head.append(MCAP.Opcode.chunk.rawValue)
    let fieldByteCount =
      MCAPChunk.uncompressedHeadByteCount - MCAP.recordHeaderByteCount + options.compression.name.utf8.count
    head.append(fixed: UInt64(fieldByteCount + records.count))
    head.append(fixed: startTime)
    head.append(fixed: endTime)
    head.append(fixed: UInt64(chunk.count))
    let crc = chunk.withRawBytes { Checksum.crc32($0) }
    head.append(fixed: crc)
    head.append(prefixed: options.compression.name)
    head.append(fixed: UInt64(records.count))

    let chunkOffset = fileOffset
    let chunkLength = head.count + records.count
    var indexes = ByteWriter()
    var places: [MCAPChunkIndex.MessageIndexPlace] = []
    if options.writesMessageIndexes {
      for (channel, entries) in zip(channels, messageIndexes) where !entries.isEmpty {
        places.append(.init(channel: channel.id, offset: UInt64(chunkOffset + chunkLength + indexes.count)))
        indexes.append(
          MCAPMessageIndex(channel: channel.id, entries: entries), padding: options.recordPadding)
      }
    }
    // The CRC is that of the uncompressed records, so it is known only for those.
    try writeKeepingWhole([head.bytes, records, indexes.bytes], crcs: options.compression == .none ? [1: crc] : [:])
    chunkCount += 1
    guard options.writesChunkIndexes else { return }
    chunkIndexes.append(
      MCAPChunkIndex(
        startTime: startTime, endTime: endTime, offset: UInt64(chunkOffset), length: UInt64(chunkLength),
        messageIndexes: places, messageIndexByteCount: UInt64(indexes.count),
        compression: options.compression.name, compressedByteCount: UInt64(records.count),
        uncompressedByteCount: UInt64(chunk.count)))
  }
}

final class MCAPChunkPacker {
  private let compression: MCAPWriterOptions.Compression
  private var context: OpaquePointer?

  init(_ compression: MCAPWriterOptions.Compression) { self.compression = compression }

  deinit { ZSTD_freeCCtx(context) }

  func pack(_ records: [UInt8]) throws(RetakeError) -> [UInt8] {
    guard case .zstd(let level) = compression else { return records }
    if context == nil { context = ZSTD_createCCtx() }
    guard let context else { throw RetakeError(.inputOutput, "There is not enough memory for a zstd encoder.") }
    let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(records.count)) { output, count in
      let size = records.withUnsafeBytes {
        ZSTD_compressCCtx(context, output.baseAddress, output.count, $0.baseAddress, $0.count, level)
      }
      count = ZSTD_isError(size) == 0 ? size : 0
    }
    // A zstd frame is never empty, so this means failure.
    guard !packed.isEmpty else { throw RetakeError(.inputOutput, "zstd could not compress a chunk.") }
    return packed
  }
}
