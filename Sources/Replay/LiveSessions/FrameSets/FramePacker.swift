import FrameModel
import RecordingStore

/// Gives captured frames their place in a stream, without padding at the end of their rows, as a recording would give them back.
final class FramePacker {
  private let pools: [FrameBufferPool]
  private let copies: Bool
  /// Frames of a stream that cameras can spare for long.
  private static let spareCount = 4

  /// - Parameter heldCount: frames of each stream that are held for long. Where that is more than cameras can spare, they get
  ///   their buffers back at once.
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
    // Without a buffer left the camera's own is kept.
    guard let target, captured.byteCount <= target.byteCount else { return frame }
    withExtendedLifetime(captured.buffer) {
      target.mutableBytes.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: captured.buffer.bytes[..<captured.byteCount]))
    }
    frame.buffer = target
    return frame
  }
}
