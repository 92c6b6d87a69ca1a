import FrameModel
import Support

/// Decodes a message record that was read at the offset stored in the index.
package enum MessageRecord {
  /// Longest record that is read: an uncompressed frame and 64 KiB for its fields.
  package static let largestByteCount = FrameLayout.largestByteCount + 65_536

  /// - Returns: the frame's message and its payload, which points into `record`.
  /// - Throws: `.corrupt` when `record` is not a whole message record with a frame of `stream`.
  package static func frame(_ record: UnsafeRawBufferPointer, stream: Int) throws(RetakeError) -> (
    message: FrameMessage, payload: UnsafeRawBufferPointer
  ) {
    var reader = ByteReader(record)
    guard try reader.fixed(UInt8.self) == MCAP.Opcode.message.rawValue,
      try reader.fixed(UInt64.self) == UInt64(reader.remaining)
    else { throw RetakeError(.corrupt, "There is no frame at the offset given by the index.") }
    let message = try MCAPMessage(from: &reader)
    guard Int(message.channel) == stream else {
      throw RetakeError(.corrupt, "The frame at the offset given by the index belongs to another stream.")
    }
    return try FrameMessage.decode(message.data)
  }
}
