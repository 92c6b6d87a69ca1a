import Support

/// A chunk whose records are being read.
struct MCAPOpenChunk {
  let offset: Int
  /// Bytes from the start of the file to the first record inside; nil when the chunk is compressed.
  private let recordsOffset: Int?
  private var reader: ByteReader
  private let isSuspect: Bool
  /// The file ends inside this chunk, so a record that is cut short is not an error.
  var endsWithFile = false

  init(_ chunk: MCAPChunk, _ records: UnsafeRawBufferPointer, at offset: Int, isSuspect: Bool) {
    self.offset = offset
    recordsOffset = chunk.compression.isEmpty ? offset + MCAPChunk.uncompressedHeadByteCount : nil
    reader = ByteReader(records)
    self.isSuspect = isSuspect
  }

  /// File offset of the next record, or of the chunk if it is compressed.
  var position: Int { recordsOffset.map { $0 + reader.offset } ?? offset }

  /// The next record, or nil at the end.
  /// - Throws: `.corrupt` for a damaged or misplaced record, after which no other can be found.
  mutating func next() throws(RetakeError) -> MCAPItem? {
    guard !reader.isAtEnd else { return nil }
    let start = reader.offset
    let place = position
    do throws(RetakeError) {
      var next = reader
      let opcode = try next.fixed(UInt8.self)
      let contents = try next.take(try next.fixed(UInt64.self))
      let record = try MCAPRecord.decode(opcode: opcode, contents)
      switch record {
      case .schema, .channel, .message, .unknown: break
      default: throw RetakeError(.corrupt, "The \(MCAPRecord.name(opcode)) is not allowed here.")
      }
      guard opcode != 0 else { throw RetakeError(.corrupt, "A record has the invalid opcode 0.") }
      reader = next
      return MCAPItem(
        record: record, opcode: opcode, offset: recordsOffset.map { $0 + start },
        length: reader.offset - start, chunk: .init(offset: offset, offsetInRecords: start),
        isInSummary: false, isSuspect: isSuspect)
    } catch {
      if endsWithFile { return nil }
      throw RetakeError(
        .corrupt, "The chunk at byte \(offset) is damaged at byte \(place): \(error.message)")
    }
  }
}
