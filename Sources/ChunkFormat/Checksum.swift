import CKernels
import CXXHash
import CZlib
import FrameModel

/// The hashes that recordings use.
package enum Checksum {
  /// XXH3, 64 bits, seed 0: of a frame's packed bytes, before any codec.
  package static func xxh3(_ bytes: UnsafeRawBufferPointer) -> UInt64 { xxh3(bytes, on: .best) }

  static func xxh3(_ bytes: UnsafeRawBufferPointer, on processor: RTKProcessor) -> UInt64 {
    var hash: UInt64 = 0
    rtk_xxh3_64(processor, bytes.baseAddress, bytes.count, &hash)
    return hash
  }

  /// XXH3, 128 bits, seed 0, as 32 lower-case hexadecimal digits in the canonical (big-endian) order.
  package static func xxh3Hex128(_ bytes: UnsafeRawBufferPointer) -> String { xxh3Hex128(bytes, on: .best) }

  static func xxh3Hex128(_ bytes: UnsafeRawBufferPointer, on processor: RTKProcessor) -> String {
    var hash = RTKHash128()
    rtk_xxh3_128(processor, bytes.baseAddress, bytes.count, &hash)
    return hex(XXH128_hash_t(low64: hash.low, high64: hash.high))
  }

  static func hex(_ hash: XXH128_hash_t) -> String {
    hash.high64.zeroPadded(16, radix: 16) + hash.low64.zeroPadded(16, radix: 16)
  }

  /// MCAP's CRC-32 (that of zlib), continued from an earlier part.
  static func crc32(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0) -> UInt32 {
    UInt32(
      truncatingIfNeeded: crc32_z(UInt(crc), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
  }

  /// The CRC-32 of two parts together, from their own.
  static func crc32(of first: UInt32, followedBy second: UInt32, byteCount: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), byteCount))
  }
}
