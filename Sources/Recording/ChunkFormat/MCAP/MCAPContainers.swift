import Kernels
import Support

/// A batch of schemas, channels and messages, perhaps compressed.
package struct MCAPChunk: MCAPFields, MCAPRecordContents {
  /// Earliest and latest log time, nanoseconds; 0 when there is no message.
  package var startTime: UInt64 = 0
  package var endTime: UInt64 = 0
  package var uncompressedByteCount: UInt64 = 0
  /// CRC-32 of the uncompressed records; 0 if not computed.
  package var uncompressedCRC: UInt32 = 0
  /// "", "zstd" or "lz4".
  package var compression = ""
  /// Points into the decoded bytes.
  package var records = UnsafeRawBufferPointer(start: nil, count: 0)

  package static let opcode = MCAP.Opcode.chunk
  /// Bytes before the records of an uncompressed chunk: opcode and length, two times, size, CRC, an
  /// empty compression name, length.
  package static let uncompressedHeadByteCount = MCAP.recordHeaderByteCount + 8 + 8 + 8 + 4 + 4 + 8

  init() {}

  /// Decodes a chunk that is cut short: `records` holds the bytes that are left.
  package init(cutShort reader: inout ByteReader) throws(RetakeError) {
    try codeHead(by: &reader)
    let recordsByteCount = try reader.fixed(UInt64.self)
    records = try reader.take(Int(min(recordsByteCount, UInt64(reader.remaining))))
  }

  private mutating func codeHead<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&startTime)
    try coder.code(&endTime)
    try coder.code(&uncompressedByteCount)
    try coder.code(&uncompressedCRC)
    try coder.code(&compression)
  }

  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try codeHead(by: &coder)
    try coder.code(&records)
  }
}

package struct MCAPAttachment: MCAPFields, MCAPRecordContents {
  /// Nanoseconds.
  package var logTime: UInt64 = 0
  package var createTime: UInt64 = 0
  package var name = ""
  package var mediaType = ""
  /// Points into the decoded bytes.
  package var data = UnsafeRawBufferPointer(start: nil, count: 0)
  /// CRC-32 of all fields before it; 0 if not computed.
  package private(set) var crc: UInt32 = 0
  /// True if the CRC matches or is absent.
  private(set) var matchesCRC = true

  package static let opcode = MCAP.Opcode.attachment

  init() {}

  /// An attachment to write. `encode` computes its CRC.
  package init(
    logTime: UInt64, createTime: UInt64, name: String, mediaType: String, data: UnsafeRawBufferPointer
  ) {
    self.logTime = logTime
    self.createTime = createTime
    self.name = name
    self.mediaType = mediaType
    self.data = data
  }

  package init(from reader: inout ByteReader) throws(RetakeError) {
    self.init()
    let start = reader.offset
    try code(by: &reader)
    let covered = UnsafeRawBufferPointer(rebasing: reader.bytes[start..<reader.offset])
    crc = try reader.fixed(UInt32.self)
    matchesCRC = crc == 0 || crc == Checksum.crc32(covered)
  }

  package func encode(to writer: inout ByteWriter) {
    let start = writer.count
    var fields = self
    fields.code(by: &writer)
    let crc = writer.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    writer.append(fixed: crc)
  }

  /// All but the CRC.
  mutating func code<Coder: MCAPFieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&logTime)
    try coder.code(&createTime)
    try coder.code(&name)
    try coder.code(&mediaType)
    try coder.code(&data)
  }
}
