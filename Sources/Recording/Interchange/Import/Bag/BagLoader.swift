import ChunkFormat
import RecordingStore
import Support

/// Loads a bag's records into memory, one at a time. Every length is checked against the file and a limit before.
struct BagLoader {
  private var source: FileSource
  private let head = ByteStore()
  private let body = ByteStore()
  let byteCount: Int
  /// A record's header has some tens of bytes; a topic's name may be longer.
  private static let largestHeaderByteCount = 1 << 20

  init(path: String) throws(RetakeError) {
    source = try FileSource(path: path)
    byteCount = source.byteCount ?? 0
  }

  struct Loaded {
    var fields: BagFields
    /// Shorter than stated if `isCut`; empty for a kind that is not needed.
    var data: UnsafeRawBufferPointer
    var end: Int
    var isCut: Bool
  }

  mutating func bytes(at offset: Int, _ count: Int) throws(RetakeError) -> UnsafeRawBufferPointer {
    try read(head, at: offset, count)
  }

  private mutating func read(_ store: ByteStore, at offset: Int, _ count: Int) throws(RetakeError)
    -> UnsafeRawBufferPointer
  {
    let buffer = store.bytes(min(count, max(0, byteCount - offset)))
    return UnsafeRawBufferPointer(rebasing: buffer[..<(try source.readAll(at: offset, into: buffer))])
  }

  /// - Parameter needs: the kinds whose data is loaded.
  /// - Throws: `.corrupt` if there is no record; the data of one may be cut short by the file's end.
  mutating func record(at offset: Int, needs: Set<BagFields.Kind>) throws(RetakeError) -> Loaded {
    let headLength = try length(at: offset)
    guard headLength <= Self.largestHeaderByteCount else {
      throw RetakeError(.corrupt, "There is no valid record at byte \(offset).")
    }
    let dataLength = try length(at: offset + 4 + headLength)
    let headBytes = try read(head, at: offset + 4, headLength)
    let fields: BagFields
    let kind: BagFields.Kind?
    do throws(RetakeError) {
      fields = try BagFields(headBytes)
      kind = try fields.kind()
    } catch {
      throw RetakeError(.corrupt, "The record at byte \(offset) is damaged: \(error.message)")
    }
    let start = offset + 8 + headLength
    let end = start + dataLength
    guard let kind, needs.contains(kind) else {
      return Loaded(fields: fields, data: .init(start: nil, count: 0), end: end, isCut: end > byteCount)
    }
    guard dataLength <= MCAP.largestRecordByteCount else {
      throw RetakeError(
        .unsupported,
        "The record at byte \(offset) has \(dataLength) bytes; the limit is \(MCAP.largestRecordByteCount).")
    }
    return Loaded(fields: fields, data: try read(body, at: start, dataLength), end: end, isCut: end > byteCount)
  }

  private mutating func length(at offset: Int) throws(RetakeError) -> Int {
    let bytes = try read(body, at: offset, 4)
    guard bytes.count == 4 else { throw RetakeError(.corrupt, "The file ends inside a record, at byte \(offset).") }
    return Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
  }
}
