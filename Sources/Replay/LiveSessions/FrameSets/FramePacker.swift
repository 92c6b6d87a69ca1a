import FrameModel
import RecordingStore

/// Converts captured frames to numbered frames without row padding, as a recording would return
/// them.
final class FramePacker {
  private let pools: [FrameBufferPool]
  private let copies: Bool
  /// Buffers per stream that a camera can spare for long.
  private static let spareCount = 4

  /// - Parameter heldCount: frames per stream that are held for long. If cameras cannot spare that
  ///   many buffers, frames are copied and the cameras get their buffers back at once.
  init(_ streams: [StreamDescription], heldCount: Int) {
    copies = heldCount > Self.spareCount
    pools = streams.map {
      FrameBufferPool(bufferByteCount: $0.layout.packed.byteCount, limit: heldCount + 2 * Self.spareCount)
    }
  }

  func packed(_ captured: CapturedFrame, stream: Int, _ admitted: FrameAdmission.Admitted) -> Frame {
    var frame = Frame(
      stream: stream, number: admitted.number, layout: captured.layout.packed, buffer: captured.buffer,
      byteCount: captured.byteCount, deviceSequence: captured.deviceSequence, timestamps: admitted.timestamps,
      flags: admitted.flags)
    let isPacked = captured.layout.format == .jpeg || captured.layout.isPacked
    guard copies || !isPacked else { return frame }
    var target = pools[stream].take()
    guard isPacked else {
      frame.byteCount = captured.packedBytes(scratch: &target).count
      if let target { frame.buffer = target }
      return frame
    }
    // With no free buffer, the camera's own buffer is kept.
    guard let target, captured.byteCount <= target.byteCount else { return frame }
    withExtendedLifetime(captured.buffer) {
      target.mutableBytes.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: captured.buffer.bytes[..<captured.byteCount]))
    }
    frame.buffer = target
    return frame
  }
}
