import FrameModel
import Kernels
import Support

/// Adds the noise of `fault.depth-noise` to depth frames. It depends on the frame set in which a
/// frame was recorded, so repeated frames have the same noise.
final class NoisyDepth {
  private let noise: DepthNoise
  private let random: FaultRandom
  private let pool: FrameBufferPool

  init(_ stream: StreamDescription, _ faults: FaultModel, heldCount: Int) throws(RetakeError) {
    noise = try DepthNoise(stream, multiple: faults.depthNoise)
    random = faults.random
    pool = FrameBufferPool(bufferByteCount: max(2, stream.layout.packed.byteCount), limit: heldCount + 2)
  }

  /// - Parameter number: the frame set in which the frame was recorded.
  /// - Returns: a copy, or the frame itself if it is damaged.
  func noisy(_ frame: Frame, number: Int) -> Frame {
    guard frame.byteCount == frame.layout.byteCount, frame.byteCount <= pool.bufferByteCount else { return frame }
    let buffer = pool.take() ?? FrameBuffer(byteCount: frame.byteCount)
    guard let source = frame.buffer.bytes.baseAddress, let target = buffer.mutableBytes.baseAddress else {
      return frame
    }
    noise.add(
      key: random.word(.depthNoise, number), to: source.assumingMemoryBound(to: UInt16.self),
      target.assumingMemoryBound(to: UInt16.self), count: frame.byteCount / 2)
    var noisy = frame
    noisy.buffer = buffer
    return withExtendedLifetime(frame) { noisy }
  }
}
