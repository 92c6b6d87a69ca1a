import Support

/// Loads a file's records into memory, one at a time.
struct MCAPRecordLoader<Source: ByteSource> {
  private var source: Source
  private let store = ByteStore()
  private let byteCountLimit: Int

  /// - Parameter byteCountLimit: longer records are rejected before memory is allocated.
  init(_ source: Source, byteCountLimit: Int) {
    self.source = source
    self.byteCountLimit = byteCountLimit
  }

  /// Total size in bytes; nil if unknown.
  var byteCount: Int? { source.byteCount }
  func byteCountLeft(at offset: Int) -> Int? { source.byteCount.map { $0 - offset } }

  /// The file ends inside the record that was requested last.
  private(set) var endsEarly = false

  /// A record with its opcode and length, valid until the next call.
  struct Loaded {
    var opcode: UInt8
    var bytes: UnsafeRawBufferPointer
    /// The file ends inside the record.
    var isCut = false
    /// A chunk whose record length is wrong; `bytes` has the length stated inside.
    var isLengthWrong = false

    var contents: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes.dropFirst(MCAP.recordHeaderByteCount))
    }
  }

  /// - Throws: `.corrupt` or `.unsupported` when there is no whole record at `offset`; but a chunk
  ///   is returned as far as it goes.
  /// - Parameter searchesChunks: whether to check a chunk's length against those inside it.
  mutating func record(at offset: Int, searchesChunks: Bool = false) throws(RetakeError) -> Loaded {
    let head = try bytes(at: offset, MCAP.recordHeaderByteCount)
    endsEarly = head.count < MCAP.recordHeaderByteCount
    guard !head.isEmpty else {
      throw RetakeError(.corrupt, "The file ends without a footer, at byte \(offset).")
    }
    guard head.count == MCAP.recordHeaderByteCount else {
      throw RetakeError(.corrupt, "The file ends inside a record, at byte \(offset).")
    }
    var reader = ByteReader(head)
    let opcode = try reader.fixed(UInt8.self)
    let length = try reader.fixed(UInt64.self)
    if searchesChunks, opcode == MCAP.Opcode.chunk.rawValue, let byteCount = try chunkByteCount(at: offset),
      UInt64(byteCount - MCAP.recordHeaderByteCount) != length, byteCount <= byteCountLimit
    {
      return Loaded(opcode: opcode, bytes: try bytes(at: offset, byteCount), isLengthWrong: true)
    }
    guard opcode != 0 else {
      throw RetakeError(.corrupt, "There is no valid record at byte \(offset).")
    }
    let name = MCAPRecord.name(opcode)
    guard length <= UInt64(byteCountLimit) else {
      throw RetakeError(
        .unsupported,
        "The \(name) at byte \(offset) claims \(length) bytes; the limit is \(byteCountLimit).")
    }
    let byteCount = MCAP.recordHeaderByteCount + Int(length)
    let isChunk = opcode == MCAP.Opcode.chunk.rawValue
    if isChunk || source.byteCount.map({ $0 - offset >= byteCount }) ?? true {
      let bytes = try bytes(at: offset, byteCount)
      if bytes.count == byteCount || isChunk {
        endsEarly = bytes.count < byteCount
        return Loaded(opcode: opcode, bytes: bytes, isCut: bytes.count < byteCount)
      }
    }
    endsEarly = true
    throw Self.endsInside(opcode, offset)
  }

  static func endsInside(_ opcode: UInt8, _ offset: Int) -> RetakeError {
    RetakeError(.corrupt, "The file ends inside the \(MCAPRecord.name(opcode)) at byte \(offset).")
  }

  /// Up to `count` bytes, valid until the next call; fewer only at the end of the file. If the
  /// source's size is unknown, memory grows with the bytes that arrive.
  mutating func bytes(at offset: Int, _ count: Int) throws(RetakeError) -> UnsafeRawBufferPointer {
    var known = count
    if let total = source.byteCount { known = max(0, min(count, total - offset)) }
    var done = 0
    var step = source.byteCount == nil ? min(known, 1 << 20) : known
    while true {
      let memory = store.bytes(step, keeping: done)
      let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done...])
      done += try source.readAll(at: offset + done, into: rest)
      if done < step || step == known { break }
      step = min(known, step * 2)
    }
    return UnsafeRawBufferPointer(store.bytes(done))
  }
}
