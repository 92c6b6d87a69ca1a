import CaptureDevices
import FrameModel

/// Buffers for a source's frames: pooled, so that memory is bounded however slowly the recorder takes them. JPEG gets as
/// much as it needs: the most that its layout allows is many times that.
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

  /// - Returns: nil once `isStopping` says so and no buffer is free.
  func take(_ byteCount: Int, stream: Int, waitingUnless isStopping: () -> Bool) -> FrameBuffer? {
    guard let pool = pools[stream] else { return FrameBuffer(byteCount: max(1, byteCount)) }
    return pool.take(waitingUnless: isStopping)
  }
}
