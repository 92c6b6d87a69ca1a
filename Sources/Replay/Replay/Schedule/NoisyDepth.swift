import FrameModel
import Kernels
import Support

/// Depth frames with the noise that `fault.depth-noise` asks for: of the frame set that a frame was recorded in, so that the
/// same frame has the same noise whenever it comes.
final class NoisyDepth {
  private let noise: DepthNoise
  private let random: FaultRandom
  private let pool: FrameBufferPool

  /// - Parameter heldCount: frames that who takes them holds on to.
  /// - Throws: what `DepthNoise` throws.
  init(_ stream: StreamDescription, _ faults: FaultModel, heldCount: Int) throws(RetakeError) {
    noise = try DepthNoise(stream, multiple: faults.depthNoise)
    random = faults.random
    pool = FrameBufferPool(bufferByteCount: max(2, stream.layout.packed.byteCount), limit: heldCount + 2)
  }

  /// - Parameter number: of the frame set that it was recorded in.
  /// - Returns: a copy; the frame itself where it is not whole.
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
