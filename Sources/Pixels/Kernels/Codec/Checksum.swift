import CKernels
import CZlib
import FrameModel

package enum Checksum {
  /// XXH3, 64 bits, seed 0. Frames store it of their packed bytes, before any codec.
  package static func xxh3(_ bytes: UnsafeRawBufferPointer, on processor: Processor = .best) -> UInt64 {
    var hash: UInt64 = 0
    rtk_xxh3_64(processor.choice, bytes.baseAddress, bytes.count, &hash)
    return hash
  }

  /// XXH3, 128 bits, seed 0, as 32 lower-case hexadecimal digits in canonical (big-endian) order.
  package static func xxh3Hex128(_ bytes: UnsafeRawBufferPointer) -> String { xxh3Digest(bytes).hex }

  package static func xxh3Digest(_ bytes: UnsafeRawBufferPointer, on processor: Processor = .best) -> FrameDigest {
    var hash = RTKHash128()
    rtk_xxh3_128(processor.choice, bytes.baseAddress, bytes.count, &hash)
    return FrameDigest(high: hash.high, low: hash.low)
  }

  /// XXH3 of 64 and of 128 bits. Above 240 bytes, the former is the low half of the latter.
  package static func xxh3Both(_ bytes: UnsafeRawBufferPointer) -> (short: UInt64, long: FrameDigest) {
    let long = xxh3Digest(bytes)
    return (bytes.count > 240 ? long.low : xxh3(bytes), long)
  }

  /// CRC-32 as in MCAP and zlib, continued from an earlier part.
  package static func crc32(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0) -> UInt32 {
    UInt32(
      truncatingIfNeeded: crc32_z(UInt(crc), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
  }

  /// The CRC-32 of two concatenated parts. `byteCount` is the length of the second.
  package static func crc32(of first: UInt32, followedBy second: UInt32, byteCount: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), byteCount))
  }
}
