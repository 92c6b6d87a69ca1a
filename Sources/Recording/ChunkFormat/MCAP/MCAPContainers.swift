import Kernels
import Support

/// A batch of schemas, channels and messages, perhaps compressed.
package struct MCAPChunk: MCAPRecordContents {
  /// Earliest and latest log time, nanoseconds; 0 when there is no message.
  package var startTime: UInt64
  package var endTime: UInt64
  package var uncompressedByteCount: UInt64
  /// CRC-32 of the uncompressed records; 0 if not computed.
  package var uncompressedCRC: UInt32
  /// "", "zstd" or "lz4".
  package var compression: String
  /// Points into the decoded bytes.
  package var records: UnsafeRawBufferPointer

  package static let opcode = MCAP.Opcode.chunk
  /// Bytes before the records of an uncompressed chunk: opcode and length, two times, size, CRC, an
  /// empty compression name, length.
  package static let uncompressedHeadByteCount = MCAP.recordHeaderByteCount + 8 + 8 + 8 + 4 + 4 + 8

  package init(from reader: inout ByteReader) throws(RetakeError) {
    let recordsByteCount: UInt64
    (self, recordsByteCount) = try Self.head(from: &reader)
    records = try reader.take(recordsByteCount)
  }

  /// Decodes a chunk that is cut short: `records` holds the bytes that are left.
  package init(cutShort reader: inout ByteReader) throws(RetakeError) {
    let recordsByteCount: UInt64
    (self, recordsByteCount) = try Self.head(from: &reader)
    records = try reader.take(Int(min(recordsByteCount, UInt64(reader.remaining))))
  }

  private init(
    startTime: UInt64, endTime: UInt64, uncompressedByteCount: UInt64, crc: UInt32, compression: String
  ) {
    self.startTime = startTime
    self.endTime = endTime
    self.uncompressedByteCount = uncompressedByteCount
    uncompressedCRC = crc
    self.compression = compression
    records = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  private static func head(from reader: inout ByteReader) throws(RetakeError) -> (MCAPChunk, UInt64) {
    let chunk = MCAPChunk(
      startTime: try reader.fixed(UInt64.self), endTime: try reader.fixed(UInt64.self),
      uncompressedByteCount: try reader.fixed(UInt64.self), crc: try reader.fixed(UInt32.self),
      compression: try reader.prefixedString())
    return (chunk, try reader.fixed(UInt64.self))
  }

  package func encode(to writer: inout ByteWriter) {
    writer.append(fixed: startTime)
    writer.append(fixed: endTime)
    writer.append(fixed: uncompressedByteCount)
    writer.append(fixed: uncompressedCRC)
    writer.append(prefixed: compression)
    writer.append(fixed: UInt64(records.count))
    writer.append(records)
  }
}

package struct MCAPAttachment: MCAPRecordContents {
  /// Nanoseconds.
  package var logTime: UInt64
  package var createTime: UInt64
  package var name: String
  package var mediaType: String
  /// Points into the decoded bytes.
  package var data: UnsafeRawBufferPointer
  /// CRC-32 of all fields before it; 0 if not computed.
  package private(set) var crc: UInt32
  /// True if the CRC matches or is absent.
  let matchesCRC: Bool

  package static let opcode = MCAP.Opcode.attachment

  /// An attachment to write. `encode` computes its CRC.
  package init(
    logTime: UInt64, createTime: UInt64, name: String, mediaType: String, data: UnsafeRawBufferPointer
  ) {
    self.logTime = logTime
    self.createTime = createTime
    self.name = name
    self.mediaType = mediaType
    self.data = data
    crc = 0
    matchesCRC = true
  }

  package init(from reader: inout ByteReader) throws(RetakeError) {
    let start = reader.offset
    logTime = try reader.fixed(UInt64.self)
    createTime = try reader.fixed(UInt64.self)
    name = try reader.prefixedString()
    mediaType = try reader.prefixedString()
    data = try reader.take(try reader.fixed(UInt64.self))
    let covered = UnsafeRawBufferPointer(rebasing: reader.bytes[start..<reader.offset])
    crc = try reader.fixed(UInt32.self)
    matchesCRC = crc == 0 || crc == Checksum.crc32(covered)
  }

  package func encode(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(fixed: logTime)
    writer.append(fixed: createTime)
    writer.append(prefixed: name)
    writer.append(prefixed: mediaType)
    writer.append(fixed: UInt64(data.count))
    writer.append(data)
    let crc = writer.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    writer.append(fixed: crc)
  }
}
