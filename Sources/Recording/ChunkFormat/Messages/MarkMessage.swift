import FrameModel
import Support

extension Mark {
  package func encode(to writer: inout ByteWriter) {
    MarkFields(label: label, nanoseconds: presentation.nanoseconds).write(to: &writer)
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Mark {
    let fields = try MarkFields(reading: bytes)
    guard fields.nanoseconds.isPlausibleTime, isLabel(fields.label) else {
      throw RetakeError(.corrupt, "A mark has an invalid time or label.")
    }
    return try Mark(label: fields.label, presentation: PresentationTime(nanoseconds: fields.nanoseconds))
  }
}

/// A `Mark` as stored, not yet checked.
struct MarkFields: DescribedMessage {
  var label = ""
  var nanoseconds: Int64 = 0

  static let fullName = "retake.Mark"

  mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code(1, "label", .string, &label)
    try coder.code(2, "presentation_ns", .sint64, &nanoseconds)
    try coder.codeFieldsCRC()
  }
}
