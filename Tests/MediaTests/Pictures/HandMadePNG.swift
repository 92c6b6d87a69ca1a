import Support

/// A PNG assembled chunk by chunk, which may claim any sizes and contain any samples.
struct HandMadePNG {
  var width: UInt32
  var height: UInt32
  var bitDepth: UInt8
  var colorType: UInt8
  /// Packed rows, each after its filter byte.
  var rows: [UInt8]

  static let grey: UInt8 = 0
  static let color: UInt8 = 2

  var bytes: [UInt8] {
    let header = Self.bigEndian(width) + Self.bigEndian(height) + [bitDepth, colorType, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
  }

  /// One zlib block without compression.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    let lengths = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01, 0x01] + lengths + bytes + bigEndian(b << 16 | a)
  }

  private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let covered = Array(name.utf8) + contents
    var crc: UInt32 = ~0
    for byte in covered {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return bigEndian(UInt32(contents.count)) + covered + bigEndian(~crc)
  }

  private static func bigEndian(_ word: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}
