import CaptureDevices
import FrameModel

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
}
