import ChunkFormat
import Support

/// The named fields of a record's header, or of a connection: each a length and NAME=VALUE.
struct BagFields {
  enum Kind: UInt8 {
    case message = 2
    case bagHeader = 3
    case indexData = 4
    case chunk = 5
    case chunkInfo = 6
    case connection = 7
  }

  private var values: [String: UnsafeRawBufferPointer] = [:]
  /// The format has seven fields at most; connections may have more.
  private static let fieldLimit = 64

  /// - Parameter bytes: must outlive the fields.
  init(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      let field = try reader.take(Int(try reader.fixed(UInt32.self)))
      guard let end = field.firstIndex(of: UInt8(ascii: "=")), values.count < Self.fieldLimit else {
        throw RetakeError(.corrupt, "A record's header is damaged.")
      }
      values[String(decoding: field[..<end], as: UTF8.self)] = UnsafeRawBufferPointer(rebasing: field[(end + 1)...])
    }
  }

  /// Nil for a record of another version, which is skipped.
  func kind() throws(RetakeError) -> Kind? { Kind(rawValue: try number("op", UInt8.self)) }

  func number<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type) throws(RetakeError) -> Number {
    guard let value = values[name], value.count == MemoryLayout<Number>.size else {
      throw RetakeError(.corrupt, "A record lacks its field '\(name)'.")
    }
    return Number(littleEndian: value.loadUnaligned(as: type))
  }

  /// Seconds and nanoseconds, in nanoseconds.
  func time() throws(RetakeError) -> UInt64 {
    let value = try number("time", UInt64.self)
    return (value & 0xFFFF_FFFF) * 1_000_000_000 + value >> 32
  }

  func text(_ name: String) throws(RetakeError) -> String {
    guard let value = values[name], value.count <= ImageMessage.longestEncodingByteCount * 16 else {
      throw RetakeError(.corrupt, "A record lacks its field '\(name)'.")
    }
    return String(decoding: value, as: UTF8.self)
  }
}

/// A record: a header of fields, and data. Both follow their length.
struct BagRecord {
  var fields: BagFields
  var data: UnsafeRawBufferPointer

  init(from reader: inout ByteReader) throws(RetakeError) {
    fields = try BagFields(try reader.take(Int(try reader.fixed(UInt32.self))))
    data = try reader.take(Int(try reader.fixed(UInt32.self)))
  }
}
