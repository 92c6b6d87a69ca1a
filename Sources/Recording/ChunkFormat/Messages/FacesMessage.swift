import FrameModel
import Support

/// The faces in one colour frame. An empty list means that a detector found none, unless it skipped
/// the frame. Of several messages for a frame, the last one counts.
package struct FacesMessage: Hashable, Sendable {
  package var stream: Int
  package var frameNumber: Int
  package var presentation: PresentationTime
  package var faces: [FaceObservation]
  /// Name, version and parameters of the detector; empty for a device that reports faces itself.
  package var detector: String
  /// The detector was busy or could not read the frame, so it is unknown which faces it has.
  package var isSkipped: Bool

  /// In the file a face may take 2 bytes, in memory sixty times as many, so the count is limited.
  package static let largestFaceCount = 4096

  package init(
    stream: Int, frameNumber: Int, presentation: PresentationTime, faces: [FaceObservation], detector: String = "",
    isSkipped: Bool = false
  ) {
    self.stream = stream
    self.frameNumber = frameNumber
    self.presentation = presentation
    self.faces = faces
    self.detector = detector
    self.isSkipped = isSkipped
  }

  /// The detector; where a device states it per face only, the first face's.
  package var source: String { detector.isEmpty ? faces.first?.detector ?? "" : detector }

  package func encode(to writer: inout ByteWriter) { write(to: &writer) }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FacesMessage {
    let message = try FacesMessage(reading: bytes)
    guard message.presentation.nanoseconds.isPlausibleTime else {
      throw RetakeError(.corrupt, "The time of a face result is out of range.")
    }
    guard !message.isSkipped || message.faces.isEmpty else {
      throw RetakeError(.corrupt, "Faces are given for a frame that was skipped by face detection.")
    }
    return message
  }
}

extension FacesMessage: DescribedMessage {
  static let fullName = "retake.Faces"

  init() { self.init(stream: 0, frameNumber: 0, presentation: PresentationTime(nanoseconds: 0), faces: []) }

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "stream", .uint32, &stream, upTo: 65_535)
    try coder.code(2, "frame_number", .uint64, &frameNumber, upTo: 1 << 46)
    try coder.code(3, "presentation_ns", .sint64, &presentation.nanoseconds)
    try coder.code(4, "faces", .message, &faces, upTo: Self.largestFaceCount)
    try coder.code(5, "detector", .string, &detector, unless: "")
    try coder.code(6, "is_skipped", .uint32, &isSkipped, unless: false)
    try coder.codeFieldsCRC()
  }
}

extension FaceObservation: DescribedMessage {
  static let fullName = "retake.Face"

  init() {
    self.init(
      box: Box(x: 0, y: 0, width: 0, height: 0), confidence: 0, roll: nil, pitch: nil, yaw: nil, detector: "")
  }

  init(_ value: ProtobufValue, of field: ProtobufField) throws(RetakeError) {
    try self.init(reading: value.data)
    let numbers = [box.x, box.y, box.width, box.height, confidence]
    guard (numbers + [roll, pitch, yaw].compactMap { $0 }).allSatisfy(\.isFinite) else {
      throw RetakeError(.corrupt, "A face's box, confidence or angle is not a finite number.")
    }
  }

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "x", .double, &box.x)
    try coder.code(2, "y", .double, &box.y)
    try coder.code(3, "width", .double, &box.width)
    try coder.code(4, "height", .double, &box.height)
    try coder.code(5, "confidence", .double, &confidence)
    try coder.code(6, "roll_radians", .double, &roll)
    try coder.code(7, "pitch_radians", .double, &pitch)
    try coder.code(8, "yaw_radians", .double, &yaw)
    try coder.code(9, "detector", .string, &detector)
    try coder.code(10, "frames_since_seen", .uint32, &framesSinceSeen, unless: 0, upTo: 1 << 31)
  }
}
