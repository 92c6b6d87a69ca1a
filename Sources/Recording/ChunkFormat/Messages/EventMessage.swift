import FrameModel
import Support

extension FrameEvent {
  private enum Field {
    static let stream = ProtobufField(1, "stream", .uint32)
    static let stage = ProtobufField(2, "stage", .string)
    static let reason = ProtobufField(3, "reason", .string)
    static let frameNumber = ProtobufField(4, "frame_number", .uint64)
    static let count = ProtobufField(5, "count", .uint64)
    static let presentation = ProtobufField(6, "presentation_ns", .sint64)
    static let all = [stream, stage, reason, frameNumber, count, presentation, .fieldsCRC]
  }

  static let schema = ProtobufSchema(name: "Event", fields: Field.all)

  package func encode(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(Field.stream, stream)
    writer.append(Field.stage, stage.rawValue)
    writer.append(Field.reason, reason.rawValue)
    writer.append(Field.frameNumber, frameNumber)
    writer.append(Field.count, count)
    writer.append(Field.presentation, signed: presentation.nanoseconds)
    writer.appendFieldsCRC(since: start)
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FrameEvent {
    var reader = ByteReader(bytes)
    var stage: Stage?
    var reason: Reason?
    var stream = 0
    var frameNumber = 0
    var count = 0
    var presentation = PresentationTime(nanoseconds: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case Field.stream.number: stream = try field.integer(upTo: 65_535)
      case Field.stage.number: stage = Stage(rawValue: field.string)
      case Field.reason.number: reason = Reason(rawValue: field.string)
      case Field.frameNumber.number: frameNumber = try field.integer(upTo: 1 << 46)
      case Field.count.number: count = try field.integer(upTo: 1 << 46)
      case Field.presentation.number: presentation = PresentationTime(nanoseconds: field.signed)
      case ProtobufField.fieldsCRC.number: try reader.check(field)
      default: continue
      }
    }
    guard presentation.nanoseconds.isPlausibleTime else {
      throw RetakeError(.corrupt, "An event's time is out of range.")
    }
    guard let stage, let reason else {
      throw RetakeError(.unsupported, "An event has a stage or reason that this version of Retake does not know.")
    }
    return FrameEvent(
      stream: stream, stage: stage, reason: reason, frameNumber: frameNumber, count: count,
      presentation: presentation)
  }
}
