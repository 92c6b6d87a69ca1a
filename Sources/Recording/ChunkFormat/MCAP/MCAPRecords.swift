import FrameModel
import Support

/// MCAP (mcap.dev/spec): magic, records of one opcode byte, a UInt64 length and contents, magic.
package enum MCAP {
  package static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  package enum Opcode: UInt8, Sendable {
    case header = 0x01
    case footer = 0x02
    case schema = 0x03
    case channel = 0x04
    case message = 0x05
    case chunk = 0x06
    case messageIndex = 0x07
    case chunkIndex = 0x08
    case attachment = 0x09
    case attachmentIndex = 0x0A
    case statistics = 0x0B
    case metadata = 0x0C
    case metadataIndex = 0x0D
    case summaryOffset = 0x0E
    case dataEnd = 0x0F
  }

  /// Opcode and length.
  static let recordHeaderByteCount = 9
  /// Two offsets and a CRC. The format fixes this length, so readers find the footer from the end.
  static let footerByteCount = 20
  /// Default limit of a record's length: an uncompressed frame and the rest of its chunk. Longer
  /// records are rejected before memory is allocated.
  package static let largestRecordByteCount = FrameLayout.largestByteCount + (64 << 20)
  /// Limit of a metadata map: in memory its entries take several times their bytes in the file.
  static let largestMapByteCount = 16 << 20
}

package protocol MCAPRecordContents {
  static var opcode: MCAP.Opcode { get }
  /// Ignores bytes after the last field: a later version may have more fields.
  init(from reader: inout ByteReader) throws(RetakeError)
  /// Appends the contents, without opcode and length.
  func encode(to writer: inout ByteWriter)
}

extension ByteWriter {
  mutating func appendRecord(_ opcode: MCAP.Opcode, _ body: (inout ByteWriter) -> Void) {
    append(opcode.rawValue)
    let lengthOffset = count
    append(fixed: UInt64(0))
    body(&self)
    replace(at: lengthOffset, fixed: UInt64(count - lengthOffset - 8))
  }

  package mutating func append<Record: MCAPRecordContents>(_ record: Record) {
    appendRecord(Record.opcode) { record.encode(to: &$0) }
  }

  /// Appends a UInt32 length and what `body` writes.
  package mutating func append(prefixedBy body: (inout ByteWriter) -> Void) {
    let lengthOffset = count
    append(fixed: UInt32(0))
    body(&self)
    replace(at: lengthOffset, fixed: UInt32(count - lengthOffset - 4))
  }

  package mutating func append(map entries: [StreamDescription.Setting]) {
    append {
      for entry in entries {
        $0.append(prefixed: entry.name)
        $0.append(prefixed: entry.value)
      }
    }
  }
}

extension ByteReader {
  mutating func prefixedBytes() throws(RetakeError) -> UnsafeRawBufferPointer {
    try take(Int(try fixed(UInt32.self)))
  }

  mutating func map() throws(RetakeError) -> [StreamDescription.Setting] {
    var entries: [StreamDescription.Setting] = []
    var map = ByteReader(try prefixedBytes())
    guard map.remaining <= MCAP.largestMapByteCount else {
      throw RetakeError(.unsupported, "A map of \(map.remaining) bytes is too large.")
    }
    while !map.isAtEnd {
      entries.append(StreamDescription.Setting(try map.prefixedString(), try map.prefixedString()))
    }
    return entries
  }
}
