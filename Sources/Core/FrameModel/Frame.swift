/// Defects of a frame that was kept nevertheless.
package struct FrameFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The driver reported incomplete contents.
  package static let damaged = FrameFlags(rawValue: 1)
  /// The device sent it before, with the same sequence number or tick.
  package static let duplicate = FrameFlags(rawValue: 2)
  /// Its way to the host took over a frame period longer than the quickest frame's.
  package static let late = FrameFlags(rawValue: 4)
  /// The first frame of its stream after the device was reopened. Its counters started again.
  package static let restarted = FrameFlags(rawValue: 8)
}

/// A frame as a camera delivers it, before it has a place in a recording.
package struct CapturedFrame: Sendable {
  /// Index into the device's `streams`.
  package var streamIndex: Int
  package var layout: FrameLayout
  package var buffer: FrameBuffer
  /// Bytes in use: `layout.byteCount`, fewer for JPEG and for damaged frames.
  package var byteCount: Int
  /// The driver's frame counter, which skips frames that the driver lost; nil if there is none.
  package var deviceSequence: UInt64?
  package var deviceTick: UInt64?
  package var arrival: MonotonicTime
  /// Capture time, if the source knows it without a device tick.
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
  /// Index into the recording's streams.
  package var stream: Int
  /// Counts the stream's recorded frames from 0.
  package var number: Int
  package var layout: FrameLayout
  package var buffer: FrameBuffer { didSet { digest = nil } }
  package var byteCount: Int { didSet { digest = nil } }
  package var deviceSequence: UInt64?
  package var timestamps: FrameTimestamps
  package var flags: FrameFlags
  /// Digest of the bytes in use, if the reader computed it. Reset when they change.
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

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]) }
}
