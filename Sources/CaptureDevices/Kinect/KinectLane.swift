import CFreenect
import FrameModel

/// One of a Kinect's streams on its way out: its layout and its buffers.
struct KinectLane {
  /// Two seconds at 30 fps, should the recorder fall behind.
  static let bufferLimit = 64

  let streamIndex: Int
  let layout: FrameLayout
  let pool: FrameBufferPool
  /// Where libfreenect writes the next frame.
  private(set) var buffer: FrameBuffer
  private(set) var hasDelivered = false

  init(streamIndex: Int, layout: FrameLayout) throws(RetakeError) {
    self.streamIndex = streamIndex
    self.layout = layout
    pool = FrameBufferPool(bufferByteCount: layout.byteCount, limit: Self.bufferLimit)
    guard let first = pool.take() else { throw RetakeError(.device, "There is no memory for a frame.") }
    buffer = first
  }

  /// The filled buffer, in exchange for the next one to fill.
  mutating func exchange(for next: FrameBuffer) -> FrameBuffer {
    defer { buffer = next }
    hasDelivered = true
    return buffer
  }

  /// Six little-endian Int16: what `PixelFormat.motion` says.
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
