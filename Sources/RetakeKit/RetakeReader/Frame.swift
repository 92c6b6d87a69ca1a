package import FrameModel

/// A recorded frame.
public struct Frame: Sendable {
  /// Index of its stream.
  public let stream: Int
  /// Counts the stream's recorded frames from 0.
  public let number: Int
  public let image: Image
  /// Nanoseconds on the recording's time line, which begins with the recording: the capture time in
  /// the host's clock.
  public let presentationNanoseconds: Int64
  /// Nanoseconds of the host's monotonic clock at which the frame arrived.
  public let arrivalNanoseconds: Int64
  /// The device's own timestamp as it came; nil without one.
  public let deviceTick: UInt64?
  /// The driver's frame counter, which skips frames that the driver lost; nil without one.
  public let deviceSequence: UInt64?
  /// The driver reported incomplete contents.
  public let isDamaged: Bool
  /// Took over a frame period longer to the host than the quickest frame.
  public let isLate: Bool

  package init(_ frame: FrameModel.Frame) {
    (stream, number) = (frame.stream, frame.number)
    image = Image(frame.layout, frame.buffer, byteCount: frame.byteCount)
    presentationNanoseconds = frame.timestamps.presentation.nanoseconds
    arrivalNanoseconds = frame.timestamps.arrival.nanoseconds
    deviceTick = frame.timestamps.deviceTick
    deviceSequence = frame.deviceSequence
    isDamaged = frame.flags.contains(.damaged)
    isLate = frame.flags.contains(.late)
  }
}

/// A video frame and the frames of other streams that were taken at the same time.
public struct FrameSet: Sendable {
  /// Counts frame sets from 0; in a part cut from a longer recording, as in the original.
  public let number: Int
  /// Of the video frame.
  public let presentationNanoseconds: Int64
  /// The video frame first. Streams without a partner for it are missing.
  public let frames: [Frame]
  public let faces: [Face]
  /// Whether a detector had no time for this frame, so that an empty `faces` says nothing.
  public let facesWereSkipped: Bool

  /// The frame of a stream; nil without a partner, or if the stream was not asked for.
  public subscript(_ stream: RecordedStream) -> Frame? { frames.first { $0.stream == stream.id } }
}

/// A detected face.
public struct Face: Hashable, Sendable {
  /// A box in pixels of the colour frame, origin at the top left. It may exceed the frame.
  public let x: Double
  public let y: Double
  public let width: Double
  public let height: Double
  /// 0 to 1.
  public let confidence: Double
  /// Radians; nil if the detector gives none. Roll grows as the head leans to the picture's right,
  /// yaw as it turns to the picture's right, pitch as it looks down.
  public let roll: Double?
  public let pitch: Double?
  public let yaw: Double?
  /// Name, version and parameters of the detector.
  public let detector: String
  /// 0 if the detector saw the face in this frame; otherwise how many frames ago it last did.
  public let framesSinceSeen: Int

  public init(
    x: Double, y: Double, width: Double, height: Double, confidence: Double = 1, roll: Double? = nil,
    pitch: Double? = nil, yaw: Double? = nil, detector: String, framesSinceSeen: Int = 0
  ) {
    (self.x, self.y, self.width, self.height, self.confidence) = (x, y, width, height, confidence)
    (self.roll, self.pitch, self.yaw) = (roll, pitch, yaw)
    (self.detector, self.framesSinceSeen) = (detector, framesSinceSeen)
  }

  package init(_ face: FaceObservation) {
    self.init(
      x: face.box.x, y: face.box.y, width: face.box.width, height: face.box.height, confidence: face.confidence,
      roll: face.roll, pitch: face.pitch, yaw: face.yaw, detector: face.detector,
      framesSinceSeen: face.framesSinceSeen)
  }

  package var observation: FaceObservation {
    FaceObservation(
      box: .init(x: x, y: y, width: width, height: height), confidence: confidence, roll: roll, pitch: pitch, yaw: yaw,
      detector: detector, framesSinceSeen: framesSinceSeen)
  }
}
