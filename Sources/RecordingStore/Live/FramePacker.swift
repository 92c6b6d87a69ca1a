import FrameModel

/// Gives captured frames their place in a stream, without padding at the end of their rows, as a recording would give them back.
final class FramePacker {
  private var pools: [FrameBufferPool?]
  private static let bufferLimit = 32

  init(_ streams: [StreamDescription]) {
    pools = streams.map { stream in
      stream.layout.isPacked || stream.layout.format == .jpeg
        ? nil : FrameBufferPool(bufferByteCount: stream.layout.packed.byteCount, limit: Self.bufferLimit)
    }
  }

  func packed(_ captured: CapturedFrame, stream: Int, _ admitted: FrameAdmission.Admitted) -> Frame {
    var frame = Frame(
      stream: stream, number: admitted.number, layout: captured.layout.packed, buffer: captured.buffer,
      byteCount: captured.byteCount, deviceSequence: captured.deviceSequence, timestamps: admitted.timestamps,
      flags: admitted.flags)
    guard captured.layout.format != .jpeg, !captured.layout.isPacked else { return frame }
    var target = pools[stream]?.take()
    frame.byteCount = captured.packedBytes(scratch: &target).count
    if let target { frame.buffer = target }
    return frame
  }
}
