import FrameModel
import Support

/// One message's record as the index finds it with a single read.
package enum MessageRecord {
  /// The longest record that is read: a frame no codec could shorten, and its fields.
  package static let largestByteCount = FrameLayout.largestByteCount + 65_536

  /// - Parameter record: all bytes of an MCAP message record.
  /// - Returns: the frame's message and its payload, which points into `record`.
  /// - Throws: `.corrupt` when something else lies there.
  package static func frame(_ record: UnsafeRawBufferPointer, stream: Int) throws(RetakeError) -> (
    message: FrameMessage, payload: UnsafeRawBufferPointer
  ) {
    var reader = ByteReader(record)
    guard try reader.fixed(UInt8.self) == MCAP.Opcode.message.rawValue,
      try reader.fixed(UInt64.self) == UInt64(reader.remaining)
    else { throw RetakeError(.corrupt, "There is no frame where the index says.") }
    let message = try reader.message()
    guard Int(message.channel) == stream else {
      throw RetakeError(.corrupt, "There is a frame of another stream where the index says.")
    }
    return try FrameMessage.decode(message.data)
  }
}
