import ChunkFormat
import FrameModel
import Support

/// Decodes frames to check that they are intact, and discards the result.
final class FrameVerifier {
  private let decoder: FrameDecoder
  private var buffer: FrameBuffer?

  init() throws(RetakeError) { decoder = try FrameDecoder() }

  /// - Throws: `.corrupt` when the payload does not decode to a frame with the message's checksum.
  func verify(_ message: FrameMessage, _ payload: UnsafeRawBufferPointer) throws(RetakeError) {
    let wanted = max(1, message.byteCount)
    let target = buffer.flatMap { $0.byteCount >= wanted ? $0 : nil } ?? FrameBuffer(byteCount: wanted)
    buffer = target
    try decoder.decode(
      payload, of: message, into: UnsafeMutableRawBufferPointer(rebasing: target.mutableBytes[..<message.byteCount]))
  }
}
