import Kernels
import Support

/// Reads a file's records in order, with memory for one record.
///
/// Every length is checked against the rest of the file and a limit before memory is allocated. A
/// strict reader throws at the first damage. A lenient one adds it to `damage` and continues after
/// it, or sets `stop` if it cannot find the next record. Both throw errors of the source.
///
/// Pointers in a record are valid until the next call of `next`, and while the reader is held.
package final class MCAPRecordReader<Source: ByteSource> {
  private let options: MCAPReaderOptions
  private var loader: MCAPRecordLoader<Source>
  private let unpacker: MCAPChunkUnpacker

  private enum Stage { case magic, header, data, summary, closingMagic, ended }
  private var stage = Stage.magic
  /// File offset of the next record outside chunks.
  private var offset = 0
  /// CRC-32 so far of the data section, then of the summary.
  private var crc: UInt32 = 0
  private var summaryStart = 0
  /// End of the last chunk that was read: a wrong length may have misplaced the records since.
  private var searchStart = 0
  private var wentBackByteCount = 0
  private var chunk: MCAPOpenChunk?

  /// Damage in the order found, at most the first 100. Only a lenient reader fills it.
  package private(set) var damage: [MCAPDamage] = []
  package private(set) var damageCount = 0
  /// Where and why reading stopped early; nil if the end of the file was read.
  package private(set) var stop: MCAPDamage?
  private static var damageLimit: Int { 100 }

  package init(_ source: Source, _ options: MCAPReaderOptions = MCAPReaderOptions()) {
    self.options = options
    loader = MCAPRecordLoader(source, byteCountLimit: options.recordByteCountLimit)
    unpacker = MCAPChunkUnpacker(byteCountLimit: options.recordByteCountLimit)
  }

  /// Reading stopped because the file is cut short, so that no record follows.
  package var endsEarly: Bool { stop != nil && (loader.endsEarly || isMagicCut) }
  /// The file ends inside its opening or closing magic.
  private var isMagicCut = false

  /// The file was read to its closing magic, without damage.
  package var isIntact: Bool { stage == .ended && stop == nil && damageCount == 0 }

  /// The next record, or nil at the end.
  /// - Throws: errors of the source; a strict reader also `.corrupt` or `.unsupported`.
  package func next() throws(RetakeError) -> MCAPItem? {
    while stage != .ended || chunk != nil {
      let place = chunk?.position ?? offset
      let isOutside = chunk == nil
      do throws(RetakeError) {
        if chunk != nil {
          if let item = try nextInChunk() { return item }
        } else if let item = try nextOutside() {
          return item
        }
      } catch {
        let found = MCAPDamage(offset: place, error: error)
        // A failed read is not damage: a later attempt may succeed.
        guard options.isLenient, error.code == .corrupt || error.code == .unsupported else {
          (stage, chunk, stop) = (.ended, nil, found)
          throw error
        }
        note(found)
        // The rest of the damaged chunk is lost, but not what follows it.
        if place == chunk?.position { chunk = nil }
        if stage == .ended && isOutside && options.searchesChunks, mayGoBack(),
          let next = try loader.nextChunk(from: searchStart)
        {
          (stage, offset, searchStart) = (.data, next, next + 1)
        }
        if stage == .ended && chunk == nil && stop == nil { stop = found }
      }
    }
    return nil
  }

  /// Whether the search for the next chunk may go back to the end of the last one. Its total length
  /// is limited to 8 times the file, so that many wrong lengths do not take quadratic time.
  private func mayGoBack() -> Bool {
    wentBackByteCount += max(0, offset - searchStart)
    return wentBackByteCount <= 8 * (loader.byteCount ?? 0)
  }

  private func note(_ found: MCAPDamage) {
    damageCount += 1
    if damage.count < Self.damageLimit { damage.append(found) }
  }

  /// Records the error in lenient mode, otherwise throws it.
  private func object(_ offset: Int, _ error: RetakeError) throws(RetakeError) {
    guard options.isLenient else { throw error }
    note(MCAPDamage(offset: offset, error: error))
  }

  private static func isCut(_ magic: UnsafeRawBufferPointer) -> Bool {
    magic.count < MCAP.magic.count && MCAP.magic.starts(with: magic)
  }

  // MARK: - Outside of chunks

  private func nextOutside() throws(RetakeError) -> MCAPItem? {
    switch stage {
    case .magic:
      stage = .ended
      let start = try loader.bytes(at: 0, MCAP.magic.count)
      crc = Checksum.crc32(start)
      if start.count == MCAP.magic.count { (stage, offset) = (.header, start.count) }
      let wrongCount = zip(start, MCAP.magic).count { $0 != $1 }
      if options.searchesChunks, start.count == MCAP.magic.count, wrongCount == 1 {
        note(
          MCAPDamage(
            offset: 0,
            error: RetakeError(.corrupt, "One of the file's first eight bytes (MCAP's magic bytes) is wrong.")))
        return nil
      }
      guard start.elementsEqual(MCAP.magic) else {
        isMagicCut = Self.isCut(start)
        throw RetakeError(.corrupt, "This is not an MCAP file: it does not start with MCAP's magic bytes.")
      }
      return nil
    case .closingMagic:
      stage = .ended
      let end = try loader.bytes(at: offset, MCAP.magic.count + 1)
      guard end.elementsEqual(MCAP.magic) else {
        isMagicCut = Self.isCut(end)
        throw RetakeError(.corrupt, "The closing magic bytes are missing at byte \(offset).")
      }
      return nil
    case .ended: return nil
    case .header, .data, .summary: return try nextRecord()
    }
  }

  private func nextRecord() throws(RetakeError) -> MCAPItem? {
    // Until the record is in memory, any error also hides where the next record starts.
    let stageNow = stage
    stage = .ended
    let place = offset
    let loaded = try loader.record(at: place, searchesChunks: options.isLenient && options.searchesChunks)
    let (opcode, bytes) = (loaded.opcode, loaded.bytes)
    if loaded.isCut {
      openCut(loaded)
      guard chunk == nil else { return nil }
      throw MCAPRecordLoader<Source>.endsInside(opcode, place)
    }
    stage = stageNow == .header ? .data : stageNow
    if loaded.isLengthWrong {
      note(MCAPDamage(offset: place, error: RetakeError(.corrupt, "The chunk at byte \(place) has a wrong length.")))
    }
    let crcBefore = crc
    offset += bytes.count
    if options.checksCRCs { crc = Checksum.crc32(bytes, continuing: crc) }
    if opcode == MCAP.Opcode.footer.rawValue { stage = .closingMagic }
    if opcode == MCAP.Opcode.dataEnd.rawValue {
      (stage, summaryStart, crc) = (.summary, offset, 0)
    }
    if stageNow == .header && opcode != MCAP.Opcode.header.rawValue {
      try object(place, RetakeError(.corrupt, "The file does not start with a header, at byte \(place)."))
    }
    var item = MCAPItem(
      record: try decode(opcode, loaded.contents, at: place), opcode: opcode, offset: place,
      length: bytes.count, isInSummary: stageNow == .summary, isSuspect: false)
    switch item.record {
    case .chunk(let chunk):
      searchStart = offset
      try open(chunk, &item, place)
    case .attachment(let attachment) where options.checksCRCs && !attachment.matchesCRC:
      item.isSuspect = true
      try object(place, mismatch("The attachment '\(attachment.name)' at byte \(place)"))
    case .dataEnd(let end):
      if options.checksCRCs && end.dataCRC != 0 && end.dataCRC != crcBefore {
        try object(place, mismatch("The data section, which ends at byte \(place),"))
      }
    case .footer(let footer): try check(footer, bytes, crcBefore, stageNow, place)
    default: break
    }
    return item
  }

  private func check(
    _ footer: MCAPFooter, _ record: UnsafeRawBufferPointer, _ crcBefore: UInt32, _ stage: Stage, _ place: Int
  ) throws(RetakeError) {
    guard stage == .summary else {
      return try object(
        place, RetakeError(.corrupt, "The footer at byte \(place) comes before the end of the data section."))
    }
    let starts: [UInt64] = summaryStart == place ? [0, UInt64(place)] : [UInt64(summaryStart)]
    guard starts.contains(footer.summaryStart) else {
      return try object(
        place, RetakeError(.corrupt, "The footer at byte \(place) does not give the summary's position."))
    }
    guard options.checksCRCs, footer.summaryCRC != 0 else { return }
    let covered = UnsafeRawBufferPointer(rebasing: record[..<(MCAP.recordHeaderByteCount + 16)])
    if Checksum.crc32(covered, continuing: crcBefore) != footer.summaryCRC {
      try object(place, mismatch("The summary, which ends at byte \(place),"))
    }
  }

  private func mismatch(_ what: String) -> RetakeError {
    RetakeError(.corrupt, "\(what) does not match its CRC.")
  }

  private func decode(_ opcode: UInt8, _ contents: UnsafeRawBufferPointer, at place: Int) throws(RetakeError)
    -> MCAPRecord
  {
    do throws(RetakeError) {
      return try MCAPRecord.decode(opcode: opcode, contents)
    } catch {
      // A chunk with wrong inner lengths may still hold whole records.
      if options.isLenient && opcode == MCAP.Opcode.chunk.rawValue {
        note(MCAPDamage(offset: place, error: damaged(opcode, place, error)))
        var reader = ByteReader(contents)
        return .chunk(try MCAPChunk(cutShort: &reader))
      }
      throw damaged(opcode, place, error)
    }
  }

  private func damaged(_ opcode: UInt8, _ place: Int, _ error: RetakeError) -> RetakeError {
    RetakeError(
      error.code, "The \(MCAPRecord.name(opcode)) at byte \(place) is damaged: \(error.message)",
      hint: error.hint)
  }

  // MARK: - Inside of chunks

  private func open(_ chunk: MCAPChunk, _ item: inout MCAPItem, _ place: Int) throws(RetakeError) {
    guard options.opensChunks else { return }
    var records = chunk.records
    do throws(RetakeError) {
      records = try unpacker.records(of: chunk)
    } catch {
      item.isSuspect = true
      let error = RetakeError(
        error.code, "The chunk at byte \(place) cannot be opened: \(error.message)", hint: error.hint)
      try object(place, error)
      guard chunk.compression.isEmpty else { return }
    }
    let crc = options.checksCRCs && chunk.uncompressedCRC != 0 ? Checksum.crc32(records) : chunk.uncompressedCRC
    if crc != chunk.uncompressedCRC {
      item.isSuspect = true
      try object(place, mismatch("The chunk at byte \(place)"))
      if options.correctsBytes, chunk.compression.isEmpty,
        let wrong = Checksum.wrongByte(in: records.count, found: crc, expected: chunk.uncompressedCRC)
      {
        let corrected = unpacker.store.bytes(records.count)
        corrected.copyMemory(from: records)
        corrected[wrong.place] ^= wrong.bits
        records = UnsafeRawBufferPointer(corrected)
      }
    }
    self.chunk = MCAPOpenChunk(chunk, records, at: place, isSuspect: item.isSuspect)
  }

  /// For a chunk that is cut short, a lenient reader takes its whole records, unless compressed.
  private func openCut(_ cut: MCAPRecordLoader<Source>.Loaded) {
    guard options.isLenient, options.opensChunks else { return }
    var reader = ByteReader(cut.contents)
    guard let chunk = try? MCAPChunk(cutShort: &reader), chunk.compression.isEmpty else { return }
    self.chunk = MCAPOpenChunk(chunk, chunk.records, at: offset, isSuspect: true)
    self.chunk?.endsWithFile = true
  }

  private func nextInChunk() throws(RetakeError) -> MCAPItem? {
    guard let item = try chunk?.next() else {
      if let chunk, chunk.endsWithFile {
        // `next` catches this and stops.
        throw RetakeError(.corrupt, "The file ends inside the chunk at byte \(chunk.offset).")
      }
      chunk = nil
      return nil
    }
    return item
  }
}
