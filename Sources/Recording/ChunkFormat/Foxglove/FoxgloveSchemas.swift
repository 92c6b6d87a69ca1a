/// The messages for pictures and annotations that Foxglove, Lichtblick and Rerun read. Names and
/// numbers are those of schemas/proto/foxglove in github.com/foxglove/foxglove-sdk. Fields added
/// after 2024 (metadata, lineage) are left out, as protobuf allows.
package enum Foxglove {
  package enum Time {
    package static let seconds = ProtobufField(1, "seconds", .int64)
    package static let nanos = ProtobufField(2, "nanos", .int32)
  }

  package enum RawImage {
    package static let timestamp = ProtobufField(1, "timestamp", .message)
    package static let width = ProtobufField(2, "width", .fixed32)
    package static let height = ProtobufField(3, "height", .fixed32)
    package static let encoding = ProtobufField(4, "encoding", .string)
    package static let step = ProtobufField(5, "step", .fixed32)
    package static let data = ProtobufField(6, "data", .bytes)
    package static let frameID = ProtobufField(7, "frame_id", .string)
  }

  package enum CompressedImage {
    package static let timestamp = ProtobufField(1, "timestamp", .message)
    package static let data = ProtobufField(2, "data", .bytes)
    package static let format = ProtobufField(3, "format", .string)
    package static let frameID = ProtobufField(4, "frame_id", .string)
  }

  enum Point2 {
    static let x = ProtobufField(1, "x", .double)
    static let y = ProtobufField(2, "y", .double)
  }

  enum Color {
    static let red = ProtobufField(1, "r", .double)
    static let green = ProtobufField(2, "g", .double)
    static let blue = ProtobufField(3, "b", .double)
    static let alpha = ProtobufField(4, "a", .double)
  }

  enum PointsAnnotation {
    static let timestamp = ProtobufField(1, "timestamp", .message)
    static let type = ProtobufField(2, "type", .enumeration)
    static let points = ProtobufField(3, "points", .message)
    static let outlineColor = ProtobufField(4, "outline_color", .message)
    static let outlineColors = ProtobufField(5, "outline_colors", .message)
    static let fillColor = ProtobufField(6, "fill_color", .message)
    static let thickness = ProtobufField(7, "thickness", .double)
    static let types = ["UNKNOWN", "POINTS", "LINE_LOOP", "LINE_STRIP", "LINE_LIST"]
    static let lineLoop: UInt64 = 2
  }

  enum ImageAnnotations {
    static let circles = ProtobufField(1, "circles", .message)
    static let points = ProtobufField(2, "points", .message)
    static let texts = ProtobufField(3, "texts", .message)
  }

  private typealias Field = ProtobufFile.Field

  private static func time(_ field: ProtobufField) -> Field {
    Field(field: field, typeName: "google.protobuf.Timestamp")
  }

  private static func one(_ field: ProtobufField, _ type: String) -> Field {
    Field(field: field, typeName: "foxglove.\(type)")
  }

  private static func many(_ field: ProtobufField, _ type: String) -> Field {
    Field(field: field, isRepeated: true, typeName: "foxglove.\(type)")
  }

  private static let timeFile = ProtobufFile(
    name: "google/protobuf/timestamp.proto", package: "google.protobuf", imports: [],
    message: .init(name: "Timestamp", fields: [Field(field: Time.seconds), Field(field: Time.nanos)]))

  private static func file(
    _ name: String, imports: [String] = [], isTimed: Bool = true, _ fields: [Field],
    _ enumeration: (String, [String])? = nil
  ) -> ProtobufFile {
    ProtobufFile(
      name: "foxglove/\(name).proto", package: "foxglove",
      imports: imports.map { "foxglove/\($0).proto" } + (isTimed ? [timeFile.name] : []),
      message: .init(name: name, fields: fields, enumeration: enumeration))
  }

  private static let rawImage = file(
    "RawImage",
    [time(RawImage.timestamp)]
      + [RawImage.width, RawImage.height, RawImage.encoding, RawImage.step, RawImage.data, RawImage.frameID]
      .map { Field(field: $0) })

  private static let compressedImage = file(
    "CompressedImage",
    [time(CompressedImage.timestamp)]
      + [CompressedImage.data, CompressedImage.format, CompressedImage.frameID].map { Field(field: $0) })

  private static let point2 = file("Point2", isTimed: false, [Point2.x, Point2.y].map { Field(field: $0) })

  private static let color = file(
    "Color", isTimed: false, [Color.red, Color.green, Color.blue, Color.alpha].map { Field(field: $0) })

  private static let pointsAnnotation = file(
    "PointsAnnotation", imports: ["Color", "Point2"],
    [
      time(PointsAnnotation.timestamp), one(PointsAnnotation.type, "PointsAnnotation.Type"),
      many(PointsAnnotation.points, "Point2"), one(PointsAnnotation.outlineColor, "Color"),
      many(PointsAnnotation.outlineColors, "Color"), one(PointsAnnotation.fillColor, "Color"),
      Field(field: PointsAnnotation.thickness),
    ], ("Type", PointsAnnotation.types))

  private static let circleAnnotation = file(
    "CircleAnnotation", imports: ["Color", "Point2"],
    [
      time(ProtobufField(1, "timestamp", .message)), one(ProtobufField(2, "position", .message), "Point2"),
      Field(field: ProtobufField(3, "diameter", .double)), Field(field: ProtobufField(4, "thickness", .double)),
      one(ProtobufField(5, "fill_color", .message), "Color"), one(ProtobufField(6, "outline_color", .message), "Color"),
    ])

  private static let textAnnotation = file(
    "TextAnnotation", imports: ["Color", "Point2"],
    [
      time(ProtobufField(1, "timestamp", .message)), one(ProtobufField(2, "position", .message), "Point2"),
      Field(field: ProtobufField(3, "text", .string)), Field(field: ProtobufField(4, "font_size", .double)),
      one(ProtobufField(5, "text_color", .message), "Color"),
      one(ProtobufField(6, "background_color", .message), "Color"),
    ])

  private static let imageAnnotations = file(
    "ImageAnnotations", imports: ["CircleAnnotation", "PointsAnnotation", "TextAnnotation"], isTimed: false,
    [
      many(ImageAnnotations.circles, "CircleAnnotation"), many(ImageAnnotations.points, "PointsAnnotation"),
      many(ImageAnnotations.texts, "TextAnnotation"),
    ])

  enum Schema: UInt16, CaseIterable {
    case rawImage = 1
    case compressedImage, imageAnnotations

    private var files: [ProtobufFile] {
      switch self {
      case .rawImage: [timeFile, Foxglove.rawImage]
      case .compressedImage: [timeFile, Foxglove.compressedImage]
      case .imageAnnotations:
        [timeFile, color, point2, circleAnnotation, pointsAnnotation, textAnnotation, Foxglove.imageAnnotations]
      }
    }

    var record: MCAPSchema {
      MCAPSchema(
        id: rawValue, name: files.last?.fullName ?? "", encoding: "protobuf", data: ProtobufFile.descriptorSet(files))
    }
  }
}
