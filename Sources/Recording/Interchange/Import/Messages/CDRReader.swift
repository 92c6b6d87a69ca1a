import ChunkFormat
import Support

/// Reads the fields of a ROS message, checking every length. ROS 2 uses CDR: four bytes that state
/// the byte order, then fields aligned to their size, counted from the fifth byte. ROS 1 uses
/// little-endian fields without gaps.
struct CDRReader {
  private var reader: ByteReader
  private let isAligned: Bool
  private let isBigEndian: Bool
  /// Largest alignment of a field: 8, or 4 in version 2 of CDR.
  private let largestAlignment: Int
  private static let headByteCount = 4

  /// - Throws: `.corrupt` or `.unsupported` for bytes without a CDR header.
  init(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    reader = ByteReader(bytes)
    isAligned = true
    let head = try reader.take(Self.headByteCount)
    // 0 and 1 are plain CDR; 6 and 7 are version 2, which differs only for 64-bit fields. Odd
    // numbers are little-endian.
    guard head[0] == 0, [0, 1, 6, 7].contains(head[1]) else {
      throw RetakeError(
        .unsupported, "A message is not in plain CDR encoding: it starts with bytes \(head[0]) and \(head[1]).")
    }
    isBigEndian = head[1] & 1 == 0
    largestAlignment = head[1] >= 6 ? 4 : 8
  }

  init(version1 bytes: UnsafeRawBufferPointer) {
    reader = ByteReader(bytes)
    isAligned = false
    isBigEndian = false
    largestAlignment = 1
  }

  mutating func uint8() throws(RetakeError) -> UInt8 { try reader.fixed(UInt8.self) }

  mutating func uint32() throws(RetakeError) -> UInt32 {
    if isAligned { _ = try reader.take(-reader.offset & 3) }
    let word = try reader.fixed(UInt32.self)
    return isBigEndian ? word.byteSwapped : word
  }

  mutating func float64() throws(RetakeError) -> Double {
    if isAligned { _ = try reader.take((Self.headByteCount - reader.offset) & (largestAlignment - 1)) }
    let word = try reader.fixed(UInt64.self)
    return Double(bitPattern: isBigEndian ? word.byteSwapped : word)
  }

  /// - Parameter count: at most a few; for a sequence, see `floats(limit:)`.
  mutating func floats(_ count: Int) throws(RetakeError) -> [Double] {
    try (0..<count).map { _ throws(RetakeError) in try float64() }
  }

  /// A sequence of numbers.
  mutating func floats(limit: Int) throws(RetakeError) -> [Double] {
    let count = Int(try uint32())
    guard count <= limit else {
      throw RetakeError(.corrupt, "A message has a list of \(count) numbers; the limit is \(limit).")
    }
    return try floats(count)
  }

  mutating func int32() throws(RetakeError) -> Int32 { Int32(bitPattern: try uint32()) }

  /// A sequence of bytes, not copied.
  mutating func bytes() throws(RetakeError) -> UnsafeRawBufferPointer { try reader.take(Int(try uint32())) }

  /// In CDR a string ends with a zero byte, which is removed.
  mutating func string() throws(RetakeError) -> String {
    let bytes = try bytes()
    guard bytes.count <= ImageMessage.longestEncodingByteCount else {
      throw RetakeError(.corrupt, "A message has a name of \(bytes.count) bytes, which is too long.")
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
