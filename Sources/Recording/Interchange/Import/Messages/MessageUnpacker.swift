import ChunkFormat
import FrameModel
import Support

/// Decompresses messages that rosbag2 or RealSense's recorder compressed one by one. They are recognised by
/// their first bytes, since a CDR message never starts like zstd.
final class MessageUnpacker {
  private static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  private static let largestByteCount = FrameLayout.largestByteCount + (1 << 20)
  private let store = ByteStore()

  /// - Returns: the message, valid until the next call; unchanged if it is not compressed or damaged.
  func unpacked(_ message: UnsafeRawBufferPointer) throws(RetakeError) -> UnsafeRawBufferPointer {
    guard message.starts(with: Self.zstdMagic) else { return message }
    // A frame of unknown or absurd size is no message.
    guard let byteCount = Decompression.zstdContentSize(message), byteCount <= Self.largestByteCount else {
      return message
    }
    let (bytes, isWhole) = try Decompression.zstd.bytes(of: message, byteCount: byteCount, in: store)
    return isWhole ? bytes : message
  }
}
