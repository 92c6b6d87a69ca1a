import CFreenect
import FrameModel
import Support

/// One of a Kinect's streams on its way out: its layout and its buffers.
///
/// libfreenect writes into the next frame's buffer itself, or, where its frames have to be unpacked, into one that stays.
struct KinectLane {
  /// Two seconds at 30 fps, should the recorder fall behind.
  static let bufferLimit = 64

  let streamIndex: Int
  let layout: FrameLayout
  let unpacking: KinectUnpacking
  let pool: FrameBufferPool
  /// Where libfreenect writes the next frame.
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
    guard let first = pool.take() else { throw RetakeError(.device, "There is no memory for a frame.") }
    buffer = first
  }

  /// The frame that has arrived, in exchange for a free buffer. Afterwards libfreenect has to write to `buffer`.
  mutating func exchange(for next: FrameBuffer) -> FrameBuffer {
    hasDelivered = true
    guard unpacking == .none else {
      unpacking.unpack(UnsafeRawBufferPointer(buffer.mutableBytes), to: next.mutableBytes, layout)
      return next
    }
    defer { buffer = next }
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
