import FrameModel
import Support

extension Mark {
  private enum Field {
    static let label = ProtobufField(1, "label", .string)
    static let presentation = ProtobufField(2, "presentation_ns", .sint64)
    static let all = [label, presentation, .fieldsCRC]
  }

  static let schema = ProtobufSchema(name: "Mark", fields: Field.all)

  package func encode(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(Field.label, label)
    writer.append(Field.presentation, signed: presentation.nanoseconds)
    writer.appendFieldsCRC(since: start)
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Mark {
    var reader = ByteReader(bytes)
    var label = ""
    var presentation = PresentationTime(nanoseconds: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case Field.label.number: label = field.string
      case Field.presentation.number: presentation = PresentationTime(nanoseconds: field.signed)
      case ProtobufField.fieldsCRC.number: try reader.check(field)
      default: continue
      }
    }
    guard presentation.nanoseconds.isPlausibleTime, isLabel(label) else {
      throw RetakeError(.corrupt, "A mark has an invalid time or label.")
    }
    return try Mark(label: label, presentation: presentation)
  }
}
