import ChunkFormat
import FrameModel
import Support

/// Decodes frames to see whether they are whole; what they decode to is not kept.
final class FrameVerifier {
  private let decoder: FrameDecoder
  private var buffer: FrameBuffer?

  init() throws(RetakeError) { decoder = try FrameDecoder() }

  /// - Throws: `.corrupt` when the payload does not give the frame that its checksum is of.
  func verify(_ message: FrameMessage, _ payload: UnsafeRawBufferPointer) throws(RetakeError) {
    let wanted = max(1, message.byteCount)
    let target = buffer.flatMap { $0.byteCount >= wanted ? $0 : nil } ?? FrameBuffer(byteCount: wanted)
    buffer = target
    try decoder.decode(
      payload, of: message, into: UnsafeMutableRawBufferPointer(rebasing: target.mutableBytes[..<message.byteCount]))
  }
}
