import CFreenect
import FrameModel
import Support

/// Layout and buffers of one Kinect stream. libfreenect writes into the next frame's buffer or, for
/// packed frames, into a fixed one.
struct KinectLane {
  /// Two seconds at 30 fps, in case the recorder falls behind.
  static let bufferLimit = 64

  let streamIndex: Int
  let layout: FrameLayout
  let unpacking: KinectUnpacking
  let pool: FrameBufferPool
  private(set) var buffer: FrameBuffer
  private(set) var hasDelivered = false

  init(streamIndex: Int, layout: FrameLayout, unpacking: KinectUnpacking = .none) throws(RetakeError) {
    self.streamIndex = streamIndex
    self.layout = layout
    self.unpacking = unpacking
    pool = FrameBufferPool(bufferByteCount: layout.byteCount, limit: Self.bufferLimit)
    guard unpacking == .none else {
      buffer = FrameBuffer(byteCount: unpacking.byteCount(of: layout))
      return
    }
    guard let first = pool.take() else { throw RetakeError(.device, "There is not enough memory for a frame.") }
    buffer = first
  }

  /// Exchanges the received frame for a free buffer. libfreenect must then write to `buffer`.
  mutating func exchange(for next: FrameBuffer) -> FrameBuffer {
    hasDelivered = true
    guard unpacking == .none else {
      unpacking.unpack(UnsafeRawBufferPointer(buffer.mutableBytes), to: next.mutableBytes, layout)
      return next
    }
    defer { buffer = next }
    return buffer
  }

  /// Writes six little-endian Int16, as `PixelFormat.motion` defines.
  static func write(_ state: freenect_raw_tilt_state, to buffer: FrameBuffer) {
    let words: [Int16] = [
      state.accelerometer_x, state.accelerometer_y, state.accelerometer_z, Int16(state.tilt_angle),
      Int16(truncatingIfNeeded: state.tilt_status.rawValue), 0,
    ]
    for (i, word) in words.enumerated() {
      buffer.mutableBytes.storeBytes(of: word.littleEndian, toByteOffset: 2 * i, as: Int16.self)
    }
  }
}
