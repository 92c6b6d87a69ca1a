import FrameModel
import Support

extension FrameEvent {
  package func encode(to writer: inout ByteWriter) {
    EventFields(
      stream: stream, stage: stage.rawValue, reason: reason.rawValue, frameNumber: frameNumber, count: count,
      nanoseconds: presentation.nanoseconds
    ).write(to: &writer)
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FrameEvent {
    let fields = try EventFields(reading: bytes)
    guard fields.nanoseconds.isPlausibleTime else {
      throw RetakeError(.corrupt, "An event's time is out of range.")
    }
    guard let stage = Stage(rawValue: fields.stage), let reason = Reason(rawValue: fields.reason) else {
      throw RetakeError(.unsupported, "An event has a stage or reason that this version of Retake does not know.")
    }
    return FrameEvent(
      stream: fields.stream, stage: stage, reason: reason, frameNumber: fields.frameNumber, count: fields.count,
      presentation: PresentationTime(nanoseconds: fields.nanoseconds))
  }
}

/// A `FrameEvent` as stored, not yet checked.
struct EventFields: DescribedMessage {
  var stream = 0
  var stage = ""
  var reason = ""
  var frameNumber = 0
  var count = 0
  var nanoseconds: Int64 = 0

  static let fullName = "retake.Event"

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "stream", .uint32, &stream, upTo: 65_535)
    try coder.code(2, "stage", .string, &stage)
    try coder.code(3, "reason", .string, &reason)
    try coder.code(4, "frame_number", .uint64, &frameNumber, upTo: 1 << 46)
    try coder.code(5, "count", .uint64, &count, upTo: 1 << 46)
    try coder.code(6, "presentation_ns", .sint64, &nanoseconds)
    try coder.codeFieldsCRC()
  }
}
