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

  private enum Field {
    static let stream = ProtobufField(1, "stream", .uint32)
    static let frameNumber = ProtobufField(2, "frame_number", .uint64)
    static let presentation = ProtobufField(3, "presentation_ns", .sint64)
    static let faces = ProtobufField(4, "faces", .message, of: "Face")
    static let lookedBy = ProtobufField(5, "detector", .string)
    static let isSkipped = ProtobufField(6, "is_skipped", .uint32)
    static let all = [stream, frameNumber, presentation, faces, lookedBy, isSkipped, .fieldsCRC]

    static let x = ProtobufField(1, "x", .double)
    static let y = ProtobufField(2, "y", .double)
    static let width = ProtobufField(3, "width", .double)
    static let height = ProtobufField(4, "height", .double)
    static let confidence = ProtobufField(5, "confidence", .double)
    static let roll = ProtobufField(6, "roll_radians", .double)
    static let pitch = ProtobufField(7, "pitch_radians", .double)
    static let yaw = ProtobufField(8, "yaw_radians", .double)
    static let detector = ProtobufField(9, "detector", .string)
    static let framesSinceSeen = ProtobufField(10, "frames_since_seen", .uint32)
    static let ofFace = [x, y, width, height, confidence, roll, pitch, yaw, detector, framesSinceSeen]
  }

  static let schema = ProtobufSchema(
    name: "Faces", fields: Field.all, nested: [ProtobufSchema(name: "Face", fields: Field.ofFace)])

  package func encode(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(Field.stream, stream)
    writer.append(Field.frameNumber, frameNumber)
    writer.append(Field.presentation, signed: presentation.nanoseconds)
    for face in faces {
      var message = ByteWriter()
      message.append(Field.x, face.box.x)
      message.append(Field.y, face.box.y)
      message.append(Field.width, face.box.width)
      message.append(Field.height, face.box.height)
      message.append(Field.confidence, face.confidence)
      if let roll = face.roll { message.append(Field.roll, roll) }
      if let pitch = face.pitch { message.append(Field.pitch, pitch) }
      if let yaw = face.yaw { message.append(Field.yaw, yaw) }
      message.append(Field.detector, face.detector)
      if face.framesSinceSeen > 0 { message.append(Field.framesSinceSeen, face.framesSinceSeen) }
      writer.append(Field.faces, message)
    }
    if !detector.isEmpty { writer.append(Field.lookedBy, detector) }
    if isSkipped { writer.append(Field.isSkipped, 1) }
    writer.appendFieldsCRC(since: start)
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FacesMessage {
    var reader = ByteReader(bytes)
    var result = FacesMessage(
      stream: 0, frameNumber: 0, presentation: PresentationTime(nanoseconds: 0), faces: [])
    while let field = try reader.nextField() {
      switch field.number {
      case Field.stream.number: result.stream = try field.integer(upTo: 65_535)
      case Field.frameNumber.number: result.frameNumber = try field.integer(upTo: 1 << 46)
      case Field.presentation.number: result.presentation = PresentationTime(nanoseconds: field.signed)
      case Field.faces.number:
        guard result.faces.count < largestFaceCount else {
          throw RetakeError(.corrupt, "A frame has more than \(largestFaceCount) faces.")
        }
        result.faces.append(try decodeFace(field.data))
      case Field.lookedBy.number: result.detector = field.string
      case Field.isSkipped.number: result.isSkipped = try field.integer(upTo: 1) == 1
      case ProtobufField.fieldsCRC.number: try reader.check(field)
      default: continue
      }
    }
    guard result.presentation.nanoseconds.isPlausibleTime else {
      throw RetakeError(.corrupt, "The time of a face result is out of range.")
    }
    guard !result.isSkipped || result.faces.isEmpty else {
      throw RetakeError(.corrupt, "Faces are given for a frame that was skipped by face detection.")
    }
    return result
  }

  private static func decodeFace(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FaceObservation {
    var reader = ByteReader(bytes)
    var face = FaceObservation(
      box: FaceObservation.Box(x: 0, y: 0, width: 0, height: 0), confidence: 0, roll: nil, pitch: nil,
      yaw: nil, detector: "")
    while let field = try reader.nextField() {
      switch field.number {
      case Field.x.number: face.box.x = field.double
      case Field.y.number: face.box.y = field.double
      case Field.width.number: face.box.width = field.double
      case Field.height.number: face.box.height = field.double
      case Field.confidence.number: face.confidence = field.double
      case Field.roll.number: face.roll = field.double
      case Field.pitch.number: face.pitch = field.double
      case Field.yaw.number: face.yaw = field.double
      case Field.detector.number: face.detector = field.string
      case Field.framesSinceSeen.number: face.framesSinceSeen = try field.integer(upTo: 1 << 31)
      default: continue
      }
    }
    let numbers = [face.box.x, face.box.y, face.box.width, face.box.height, face.confidence]
    guard (numbers + [face.roll, face.pitch, face.yaw].compactMap { $0 }).allSatisfy(\.isFinite) else {
      throw RetakeError(.corrupt, "A face's box, confidence or angle is not a finite number.")
    }
    return face
  }
}
