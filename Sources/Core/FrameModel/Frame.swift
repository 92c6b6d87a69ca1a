/// What is wrong with a frame that was kept all the same.
package struct FrameFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The driver said that the contents are not whole.
  package static let damaged = FrameFlags(rawValue: 1)
  /// The device sent it before: same sequence number or tick.
  package static let duplicate = FrameFlags(rawValue: 2)
  /// It reached the host later than a frame period after its neighbours would have.
  package static let late = FrameFlags(rawValue: 4)
  /// The first one of its stream since the device was opened again: its counters began anew.
  package static let restarted = FrameFlags(rawValue: 8)
}

/// A frame as a camera hands it over, before it has a place in a recording.
package struct CapturedFrame: Sendable {
  /// Which of the device's `streams`.
  package var streamIndex: Int
  package var layout: FrameLayout
  package var buffer: FrameBuffer
  /// Bytes used of the buffer: `layout.byteCount`, fewer for JPEG and for damaged frames.
  package var byteCount: Int
  /// The driver's own counter, which skips over frames that the driver lost; nil where there is none.
  package var deviceSequence: UInt64?
  package var deviceTick: UInt64?
  package var arrival: MonotonicTime
  /// When it was taken, where the source knows that without the device's tick.
  package var taken: MonotonicTime?
  package var flags: FrameFlags
  /// Faces that the device itself reports for this frame.
  package var faces: [FaceObservation]

  package init(
    streamIndex: Int, layout: FrameLayout, buffer: FrameBuffer, byteCount: Int, deviceSequence: UInt64?,
    deviceTick: UInt64?, arrival: MonotonicTime, flags: FrameFlags = [], faces: [FaceObservation] = []
  ) {
    self.streamIndex = streamIndex
    self.layout = layout
    self.buffer = buffer
    self.byteCount = byteCount
    self.deviceSequence = deviceSequence
    self.deviceTick = deviceTick
    self.arrival = arrival
    self.flags = flags
    self.faces = faces
  }
}

/// A frame with its place in a recording.
package struct Frame: Sendable {
  /// Which of the recording's streams.
  package var stream: Int
  /// Counts the recorded frames of its stream from 0.
  package var number: Int
  package var layout: FrameLayout
  package var buffer: FrameBuffer { didSet { digest = nil } }
  package var byteCount: Int { didSet { digest = nil } }
  package var deviceSequence: UInt64?
  package var timestamps: FrameTimestamps
  package var flags: FrameFlags
  /// Of the bytes in use, where whoever read them came to know it; other bytes have none.
  package private(set) var digest: FrameDigest?

  package init(
    stream: Int, number: Int, layout: FrameLayout, buffer: FrameBuffer, byteCount: Int,
    deviceSequence: UInt64?, timestamps: FrameTimestamps, flags: FrameFlags, digest: FrameDigest? = nil
  ) {
    self.stream = stream
    self.number = number
    self.layout = layout
    self.buffer = buffer
    self.byteCount = byteCount
    self.deviceSequence = deviceSequence
    self.timestamps = timestamps
    self.flags = flags
    self.digest = digest
  }

  /// The bytes in use.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]) }
}
