import ChunkFormat
import FrameModel
import Support
import TestSupport
import Testing

/// Notes the most memory that a reader offered to fill at once.
private final class WatchedSource: ByteSource {
  private var source: MemorySource
  let byteCount: Int?
  private(set) var largestBuffer = 0

  init(_ bytes: [UInt8], saysHowMany: Bool) {
    source = MemorySource(bytes)
    byteCount = saysHowMany ? bytes.count : nil
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    largestBuffer = max(largestBuffer, buffer.count)
    return try source.read(at: offset, into: buffer)
  }
}

@Suite struct MCAPHostileFileTests {
  /// A file that begins as it should, then has one record.
  private func file(_ opcode: UInt8, length: UInt64? = nil, _ contents: (inout ByteWriter) -> Void)
    -> [UInt8]
  {
    var writer = ByteWriter()
    writer.append(MCAP.magic)
    writer.append(MCAPHeader(profile: "", library: ""))
    var record = ByteWriter()
    contents(&record)
    writer.append(opcode)
    writer.append(fixed: length ?? UInt64(record.count))
    writer.append(record.bytes)
    return writer.bytes
  }

  /// What a strict reader says. Neither it nor a lenient one may ask for more memory than there are bytes, or
  /// than 1 MiB where nobody knows how many there are.
  private func error(_ bytes: [UInt8]) throws -> RetakeError {
    for (saysHowMany, limit) in [(true, bytes.count), (false, 1 << 20)] {
      let source = WatchedSource(bytes, saysHowMany: saysHowMany)
      try MCAPRecordReader(source, MCAPReaderOptions(isLenient: true)).readAll { _ in }
      #expect(source.largestBuffer <= limit)
    }
    let reader = MCAPRecordReader(WatchedSource(bytes, saysHowMany: true))
    return try #require(throws: RetakeError.self) { try reader.readAll { _ in } }
  }

  @Test(arguments: [UInt64.max, 1 << 63, UInt64(Int64.max), 1 << 40, 300 << 20, 1000])
  func `lengths that the file does not have are refused before memory is taken`(_ length: UInt64) throws {
    for opcode in 1...UInt8(0x80) {
      let error = try error(file(opcode, length: length) { $0.append(fixed: 0) })
      #expect(error.message.contains("at byte 25"), "\(error)")
    }
    // Inside a chunk, in its records' length, and in an attachment's data.
    let heads: [UInt64] = [1, 2, 4]
    _ = try self.error(
      file(0x06) {
        for head in heads { $0.append(fixed: head) }
        $0.append(fixed: UInt32(0))
        $0.append(prefixed: "")
        $0.append(fixed: length)
      })
    _ = try self.error(
      file(0x09) {
        for head in heads.prefix(2) { $0.append(fixed: head) }
        $0.append(prefixed: "name")
        $0.append(prefixed: "type")
        $0.append(fixed: length)
      })
  }

  @Test(arguments: [UInt32.max, 1 << 31, 1 << 20, 9])
  func `maps, lists and strings that claim more than their record has are refused`(_ length: UInt32) throws {
    for opcode in [1, 3, 4, 7, 8, 9, 0x0A, 0x0B, 0x0C, 0x0D] as [UInt8] {
      // Whatever the record's fields are, one of them is a length that is too large.
      let error = try error(file(opcode) { for _ in 0..<3 { $0.append(fixed: length) } })
      #expect(error.code == .corrupt)
    }
    _ = try error(
      file(0x0C) {
        $0.append(prefixed: "name")
        $0.append(fixed: length)
        $0.append(prefixed: "key")
      })
  }

  private func chunk(_ compression: String, claims byteCount: UInt64, _ records: [UInt8]) -> [UInt8] {
    file(0x06) {
      $0.append(fixed: UInt64(0))
      $0.append(fixed: UInt64(0))
      $0.append(fixed: byteCount)
      $0.append(fixed: UInt32(0))
      $0.append(prefixed: compression)
      $0.append(fixed: UInt64(records.count))
      $0.append(records)
    }
  }

  @Test func `a chunk that decompresses to another size than it says is refused`() throws {
    let bomb = try #require(try ZstdCompressor().compressed([UInt8](repeating: 0, count: 64 << 20)))
    #expect(bomb.count < 16_384)
    let size: UInt64 = 64 << 20
    for claim in [0, 1000, size - 1, size + 1, 1 << 28, 1 << 40, UInt64.max] {
      let message = try error(chunk("zstd", claims: claim, bomb)).message
      #expect(message.contains("chunk at byte 25"), "\(message)")
    }
    let bytes = TestBytes(Array(bomb))
    let small = TestBytes(Array(bomb.prefix(20)))
    for (data, claim) in [(bytes, 1000), (small, 1 << 28)] {
      let unpacker = MCAPChunkUnpacker(byteCountLimit: MCAP.largestRecordByteCount)
      var writer = ByteWriter()
      writer.append(fixed: UInt64(0))
      writer.append(fixed: UInt64(0))
      writer.append(fixed: UInt64(claim))
      writer.append(fixed: UInt32(0))
      writer.append(prefixed: "zstd")
      writer.append(fixed: UInt64(data.pointer.count))
      data.read { writer.append($0) }
      let contents = TestBytes(writer.bytes)
      #expect(throws: RetakeError.self) {
        try contents.read {
          var reader = ByteReader($0)
          _ = try unpacker.records(of: MCAPChunk(from: &reader))
        }
      }
      #expect(unpacker.store.byteCount == 0)
    }
  }

  @Test func `chunks in chunks and compressions that are not known are refused by name`() throws {
    #expect(try error(chunk("brotli", claims: 10, [1, 2, 3])).message.contains("'brotli'"))
    #expect(try error(chunk("brotli", claims: 10, [1, 2, 3])).code == .unsupported)
    #expect(try error(chunk("lz4", claims: 10, [1, 2, 3])).code == .corrupt)
    #expect(try error(chunk("", claims: 10, [1, 2, 3])).message.contains("3 bytes instead of 10"))
    var inner = ByteWriter()
    inner.append(MCAPDataEnd(dataCRC: 0))
    let message = try error(chunk("", claims: UInt64(inner.count), inner.bytes)).message
    #expect(message.contains("data end is not allowed here"))
  }

  @Test func `records and chunks longer than the limit are refused though the file has them`() throws {
    let record = file(0x10) { $0.append([UInt8](repeating: 0, count: 200)) }
    let packed = try #require(try ZstdCompressor().compressed([UInt8](repeating: 0, count: 300)))
    for bytes in [record, chunk("zstd", claims: 300, packed)] {
      var options = MCAPReaderOptions()
      options.recordByteCountLimit = 199
      let reader = MCAPRecordReader(MemorySource(bytes), options)
      let error = try #require(throws: RetakeError.self) { try reader.readAll { _ in } }
      #expect(error.code == .unsupported && error.message.contains("the limit is 199"), "\(error)")
    }
  }

  @Test func `records of kinds that are not known are yielded as such, in chunks and outside`() throws {
    var record = ByteWriter()
    record.append(UInt8(0x80))
    record.append(fixed: UInt64(3))
    record.append([1, 2, 3])
    let outside = file(0x10) { $0.append([9]) }
    let inside = chunk("", claims: UInt64(record.count), record.bytes)
    for (bytes, opcode, data) in [(outside, UInt8(0x10), [9]), (inside, 0x80, [1, 2, 3] as [UInt8])] {
      var found: [UInt8: [UInt8]] = [:]
      try MCAPRecordReader(MemorySource(bytes), MCAPReaderOptions(isLenient: true)).readAll { item in
        if case .unknown(let unknown) = item.record { found[unknown.opcode] = Array(unknown.data) }
      }
      #expect(found == [opcode: data])
    }
  }

  @Test func `what is no MCAP file is refused with one sentence`() throws {
    for bytes in [[], [0x89], Array("RIFF....WAVEfmt and so on, for a while".utf8), MCAP.magic] {
      let reader = MCAPRecordReader(MemorySource(bytes))
      #expect(throws: RetakeError.self) { try reader.readAll { _ in } }
      var source = MemorySource(bytes)
      #expect(throws: RetakeError.self) { try MCAPSummary(of: &source) }
    }
  }
}
