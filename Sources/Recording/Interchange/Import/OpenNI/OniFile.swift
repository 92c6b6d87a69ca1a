import ChunkFormat
import FrameModel
import RecordingStore
import Support

/// Streams and frames of an `.oni` file, the recording format of OpenNI 1 and 2. Reads records' headers, not pixels.
///
/// A file begins with 24 bytes, of which the first four are `NI10`. Records follow: `NIR` and a zero, then kind, node, and
/// the byte counts of fields and payload as UInt32, a position as UInt64, the other fields, and the payload. The first
/// count includes the header's 28 bytes. All numbers are little-endian. A node is a stream.
struct OniFile {
  struct Node {
    var kind: UInt32
    var codec: String
    var width = 0
    var height = 0
    var framesPerSecond = 0
    /// OpenNI2's name for the pixels; nil in a file of OpenNI 1.
    var pixels: UInt64?
  }

  struct Entry {
    let node: UInt32
    let microseconds: Int64
    let number: UInt32
    let offset: Int
    let byteCount: Int
  }

  static let magic = Array("NI10".utf8)
  private(set) var nodes: [UInt32: Node] = [:]
  /// In the file's order.
  private(set) var entries: [Entry] = []
  /// Whether the file has its last record: its recorder was not killed.
  private(set) var isComplete = false

  private static let (headByteCount, headerByteCount) = (24, 28)
  private static let recordMagic: UInt32 = 0x0052_494E
  private static let largestFieldByteCount = 1 << 16
  private static let largestNodeCount = 64
  private static let largestEntryCount = 10_000_000
  private enum Kind {
    static let (integer, general, frame, end, node): (UInt32, UInt32, UInt32, UInt32, UInt32) = (3, 6, 10, 11, 13)
  }

  /// - Throws: `.corrupt` for sizes that cannot be, `.inputOutput` if `progress` ends it.
  init(_ path: String, _ source: FileSource, progress: ImportProgress) throws(RetakeError) {
    var source = source
    let end = source.byteCount ?? 0
    var fields = [UInt8](repeating: 0, count: Self.largestFieldByteCount)
    var offset = Self.headByteCount
    while !isComplete, offset + Self.headerByteCount <= end {
      guard progress(offset, end) else { throw .importStopped(path) }
      let room = min(fields.count, end - offset)
      // Most records are this short; a longer one is read again in full.
      var have = try Self.read(&source, offset, min(room, 512), into: &fields)
      let (kind, node, fieldCount, payloadCount) = try header(fields, offset, path)
      guard fieldCount <= end - offset, payloadCount <= end - offset - fieldCount else { return }
      if fieldCount > have { have = try Self.read(&source, offset, fieldCount, into: &fields) }
      do throws(RetakeError) {
        try fields.withRawBytes { bytes throws(RetakeError) in
          let body = UnsafeRawBufferPointer(rebasing: bytes[Self.headerByteCount..<min(have, fieldCount)])
          try take(kind, node, ByteReader(body), offset + fieldCount, payloadCount)
        }
      } catch {
        throw RetakeError(
          .corrupt, "\(path) is damaged at byte \(offset): \(error.message)", hint: "copy it again, or record it again")
      }
      offset += fieldCount + payloadCount
    }
  }

  private static func read(
    _ source: inout FileSource, _ offset: Int, _ count: Int, into fields: inout [UInt8]
  ) throws(RetakeError) -> Int {
    try fields.withMutableRawBytes { bytes throws(RetakeError) in
      try source.readAll(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  private func header(_ fields: [UInt8], _ offset: Int, _ path: String) throws(RetakeError) -> (
    kind: UInt32, node: UInt32, fields: Int, payload: Int
  ) {
    let words: [UInt32] = fields.withUnsafeBytes { bytes in
      (0..<5).map { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    guard words[0] == Self.recordMagic, (Self.headerByteCount...Self.largestFieldByteCount).contains(Int(words[3])),
      Int(words[4]) <= FrameLayout.largestByteCount
    else {
      throw RetakeError(
        .corrupt, "\(path) has no valid record at byte \(offset).", hint: "copy it again, or record it again")
    }
    return (words[1], words[2], Int(words[3]), Int(words[4]))
  }

  private mutating func take(
    _ kind: UInt32, _ number: UInt32, _ body: ByteReader, _ payload: Int, _ payloadCount: Int
  ) throws(RetakeError) {
    var body = body
    switch kind {
    case Kind.node:
      _ = try Self.name(&body)
      let kind = try body.fixed(UInt32.self)
      let codec = String(decoding: try body.take(4), as: UTF8.self)
      guard nodes.count < Self.largestNodeCount else {
        throw RetakeError(.corrupt, "it has more than \(Self.largestNodeCount) nodes.")
      }
      nodes[number] = nodes[number] ?? Node(kind: kind, codec: codec)
    case Kind.integer where nodes[number] != nil:
      let name = try Self.name(&body)
      _ = try body.fixed(UInt32.self)
      if name == "oniPixelFormat" { nodes[number]?.pixels = try body.fixed(UInt64.self) }
    case Kind.general where nodes[number] != nil:
      guard try Self.name(&body) == "xnMapOutputMode", try body.fixed(UInt32.self) >= 12 else { return }
      nodes[number]?.width = Int(try body.fixed(UInt32.self))
      nodes[number]?.height = Int(try body.fixed(UInt32.self))
      nodes[number]?.framesPerSecond = Int(try body.fixed(UInt32.self))
    case Kind.frame:
      let time = try body.fixed(UInt64.self)
      guard entries.count < Self.largestEntryCount, let microseconds = Int64(exactly: time), time < 1 << 50 else {
        throw RetakeError(.corrupt, "a frame's time of \(time) µs is out of range, or there are too many frames.")
      }
      entries.append(
        Entry(
          node: number, microseconds: microseconds, number: try body.fixed(UInt32.self), offset: payload,
          byteCount: payloadCount))
    case Kind.end: isComplete = true
    default: break
    }
  }

  private static func name(_ body: inout ByteReader) throws(RetakeError) -> String {
    let count = try body.fixed(UInt32.self)
    return String(decoding: try body.take(Int(count)).prefix { $0 != 0 }, as: UTF8.self)
  }
}
