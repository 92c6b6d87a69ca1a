import FrameModel
import Support

/// Brings records of a file into memory, one at a time.
struct MCAPRecordLoader<Source: ByteSource> {
  private var source: Source
  private let store = ByteStore()
  private let byteCountLimit: Int

  /// - Parameter byteCountLimit: records that claim more are refused, before memory is taken.
  init(_ source: Source, byteCountLimit: Int) {
    self.source = source
    self.byteCountLimit = byteCountLimit
  }

  /// How many there are; nil where nobody knows.
  var byteCount: Int? { source.byteCount }
  func byteCountLeft(at offset: Int) -> Int? { source.byteCount.map { $0 - offset } }

  /// The record that was asked for last is not whole because the file ends before it does.
  private(set) var endsEarly = false

  /// A record with its opcode and length, valid until the next call.
  struct Loaded {
    var opcode: UInt8
    var bytes: UnsafeRawBufferPointer
    /// The file ends before the record does.
    var isCut = false
    /// A chunk whose own length is wrong; it is as long as the lengths inside of it say.
    var isLengthWrong = false

    var contents: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes.dropFirst(MCAP.recordHeaderByteCount))
    }
  }

  /// - Throws: `.corrupt` or `.unsupported` when no record starts at `offset`, or one that is not whole; a
  ///   chunk that is not whole is returned as far as it goes.
  /// - Parameter searchesChunks: whether a chunk's length is held against the lengths inside of it.
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
      throw RetakeError(.corrupt, "There is no record where one should start, at byte \(offset).")
    }
    let name = MCAPRecord.name(opcode)
    guard length <= UInt64(byteCountLimit) else {
      throw RetakeError(
        .unsupported,
        "The \(name) at byte \(offset) claims \(length) bytes, where \(byteCountLimit) are accepted.")
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

  /// Up to `count` bytes, valid until the next call: fewer only where the file ends. Where the source cannot
  /// say how many there are, memory grows only with what really comes.
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
