import Kernels
import Support

/// The end of a complete file, found with two reads wherever the file's messages are.
package struct MCAPSummary {
  package private(set) var schemas: [MCAPSchema] = []
  package private(set) var channels: [MCAPChannel] = []
  package private(set) var statistics: MCAPStatistics?
  package private(set) var chunkIndexes: [MCAPChunkIndex] = []
  package private(set) var attachmentIndexes: [MCAPAttachmentIndex] = []
  package private(set) var metadataIndexes: [MCAPMetadataIndex] = []
  package private(set) var summaryOffsets: [MCAPSummaryOffset] = []
  package let footer: MCAPFooter

  private static var endByteCount: Int {
    MCAP.recordHeaderByteCount + MCAP.footerByteCount + MCAP.magic.count
  }

  /// Reads the footer and the summary. All lists are empty when the file has no summary.
  /// - Throws: `.corrupt` when the end is missing or damaged; use an `MCAPRecordReader` then.
  package init<Source: ByteSource>(
    of source: inout Source, byteCountLimit: Int = MCAP.largestRecordByteCount
  ) throws(RetakeError) {
    guard let byteCount = source.byteCount else {
      throw RetakeError(.unsupported, "A summary can be read only from a file of known length.")
    }
    let store = ByteStore()
    defer { withExtendedLifetime(store) {} }
    let endStart = byteCount - Self.endByteCount
    guard endStart >= MCAP.magic.count else { throw Self.noEnd }
    let end = try Self.load(&source, store, at: endStart, Self.endByteCount)
    guard end.suffix(MCAP.magic.count).elementsEqual(MCAP.magic) else { throw Self.noEnd }
    var reader = ByteReader(end)
    guard try reader.fixed(UInt8.self) == MCAP.Opcode.footer.rawValue,
      try reader.fixed(UInt64.self) == UInt64(MCAP.footerByteCount)
    else { throw Self.noEnd }
    footer = try MCAPFooter(from: &reader)

    let start = footer.summaryStart == 0 ? endStart : Int(clamping: footer.summaryStart)
    guard start >= MCAP.magic.count, start <= endStart else {
      throw RetakeError(
        .corrupt, "The footer says the summary is at byte \(footer.summaryStart), outside the file.")
    }
    guard endStart - start <= byteCountLimit else {
      throw RetakeError(
        .unsupported, "The summary has \(endStart - start) bytes; the limit is \(byteCountLimit).")
    }
    // The CRC covers the summary and the footer up to the CRC itself.
    let covered = try Self.load(
      &source, store, at: start, endStart - start + MCAP.recordHeaderByteCount + MCAP.footerByteCount - 4)
    guard footer.summaryCRC == 0 || Checksum.crc32(covered) == footer.summaryCRC else {
      throw RetakeError(.corrupt, "The summary at byte \(start) does not match its CRC.")
    }
    try readRecords(UnsafeRawBufferPointer(rebasing: covered[..<(endStart - start)]), at: start)
  }

  private mutating func readRecords(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(RetakeError) {
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      let place = start + reader.offset
      do throws(RetakeError) {
        let opcode = try reader.fixed(UInt8.self)
        let contents = try reader.take(try reader.fixed(UInt64.self))
        switch try MCAPRecord.decode(opcode: opcode, contents) {
        case .schema(let schema): schemas.append(schema)
        case .channel(let channel): channels.append(channel)
        case .statistics(let record): statistics = record
        case .chunkIndex(let index): chunkIndexes.append(index)
        case .attachmentIndex(let index): attachmentIndexes.append(index)
        case .metadataIndex(let index): metadataIndexes.append(index)
        case .summaryOffset(let offset): summaryOffsets.append(offset)
        case .unknown: break
        default: throw RetakeError(.corrupt, "The \(MCAPRecord.name(opcode)) is not allowed here.")
        }
      } catch {
        throw RetakeError(error.code, "The summary is damaged at byte \(place): \(error.message)")
      }
    }
  }

  private static var noEnd: RetakeError {
    RetakeError(
      .corrupt, "The file has no valid end: it was truncated, or is not an MCAP file.",
      hint: "'retake recover' restores everything that is intact")
  }

  private static func load<Source: ByteSource>(
    _ source: inout Source, _ store: ByteStore, at offset: Int, _ count: Int
  ) throws(RetakeError) -> UnsafeRawBufferPointer {
    let memory = store.bytes(count)
    guard try source.readAll(at: offset, into: memory) == count else { throw noEnd }
    return UnsafeRawBufferPointer(memory)
  }
}
