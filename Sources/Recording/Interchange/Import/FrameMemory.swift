import CaptureDevices
import FrameModel
import Support

/// Buffers for a source's frames, pooled so that a slow recorder cannot exhaust memory. JPEGs are
/// allocated to size, since the largest that a layout allows is many times that.
struct FrameMemory: Sendable {
  private let pools: [FrameBufferPool?]
  private static let bufferLimit = 32
  private static let byteBudget = 1 << 28

  init(_ streams: [StreamDescription]) {
    pools = streams.map { stream in
      guard stream.layout.format != .jpeg else { return nil }
      let byteCount = stream.layout.byteCount
      return FrameBufferPool(
        bufferByteCount: byteCount, limit: max(2, min(Self.bufferLimit, Self.byteBudget / byteCount)))
    }
  }

  /// - Returns: nil if no buffer is free and `isStopping` returns true.
  func take(_ byteCount: Int, stream: Int, waitingUnless isStopping: () -> Bool) -> FrameBuffer? {
    guard let pool = pools[stream] else { return FrameBuffer(byteCount: max(1, byteCount)) }
    return pool.take(waitingUnless: isStopping)
  }

  /// A frame with a picture's pixels, flagged as damaged if some are missing or suspect.
  /// - Returns: nil if no buffer is free and `isStopping` returns true.
  func frame(
    of image: ImageMessage, _ coding: PictureCoding, stream: Int, tick: UInt64?, arrival: MonotonicTime,
    isSuspect: Bool, waitingUnless isStopping: () -> Bool
  ) throws(RetakeError) -> CapturedFrame? {
    guard let buffer = take(coding.byteCount(image), stream: stream, waitingUnless: isStopping) else { return nil }
    let byteCount = try coding.fill(buffer.mutableBytes, from: image)
    return CapturedFrame(
      streamIndex: stream, layout: coding.layout, buffer: buffer, byteCount: byteCount, deviceSequence: nil,
      deviceTick: tick, arrival: arrival, flags: coding.isWhole(image) && !isSuspect ? [] : .damaged)
  }
}
