import ChunkFormat
import FrameModel
import Support

/// Reads the fields of a ROS message. ROS 2 writes CDR: four bytes that say the byte order, then fields at multiples of
/// their size, counted from behind those four. ROS 1 writes them little-endian with no gaps. Every length is held against
/// what is left.
struct CDRReader {
  private var reader: ByteReader
  private let isAligned: Bool
  private let isBigEndian: Bool
  private static let headByteCount = 4

  /// - Throws: `.corrupt` or `.unsupported` for bytes that do not begin as CDR does.
  init(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    reader = ByteReader(bytes)
    isAligned = true
    let head = try reader.take(Self.headByteCount)
    // 0 and 1 are plain CDR, 6 and 7 its second version, which differs for 64-bit fields alone; the odd are little-endian.
    guard head[0] == 0, [0, 1, 6, 7].contains(head[1]) else {
      throw RetakeError(.unsupported, "A message is not plain CDR: it begins with \(head[0]), \(head[1]).")
    }
    isBigEndian = head[1] & 1 == 0
  }

  init(version1 bytes: UnsafeRawBufferPointer) {
    reader = ByteReader(bytes)
    isAligned = false
    isBigEndian = false
  }

  mutating func uint8() throws(RetakeError) -> UInt8 { try reader.fixed(UInt8.self) }

  mutating func uint32() throws(RetakeError) -> UInt32 {
    if isAligned { _ = try reader.take(-reader.offset & 3) }
    let word = try reader.fixed(UInt32.self)
    return isBigEndian ? word.byteSwapped : word
  }

  mutating func int32() throws(RetakeError) -> Int32 { Int32(bitPattern: try uint32()) }

  /// A sequence of bytes, not copied.
  mutating func bytes() throws(RetakeError) -> UnsafeRawBufferPointer { try reader.take(Int(try uint32())) }

  /// In CDR with a zero at its end, which is not part of it.
  mutating func string() throws(RetakeError) -> String {
    let bytes = try bytes()
    guard bytes.count <= ImageMessage.longestEncodingByteCount else {
      throw RetakeError(.corrupt, "A message has a name of \(bytes.count) bytes.")
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
