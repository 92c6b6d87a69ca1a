import Support

/// The messages for pictures and annotations that Foxglove, Lichtblick and Rerun read. Names and
/// numbers are those of schemas/proto/foxglove in github.com/foxglove/foxglove-sdk. Fields added
/// after 2024 (metadata, lineage) are left out, as protobuf allows.
package enum Foxglove {
  package struct Time: DescribedMessage {
    package var seconds: Int64 = 0
    package var nanos: Int64 = 0

    static let fullName = "google.protobuf.Timestamp"

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "seconds", .int64, &seconds)
      try coder.code(2, "nanos", .int32, &nanos)
    }
  }

  package struct RawImage: DescribedMessage {
    package var timestamp: Time?
    package var width = 0
    package var height = 0
    package var encoding = ""
    package var step = 0
    /// Points into the decoded bytes.
    package var data = UnsafeRawBufferPointer(start: nil, count: 0)
    package var frameID = ""

    static let fullName = "foxglove.RawImage"

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> RawImage {
      try RawImage(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "width", .fixed32, &width, upTo: Int(UInt32.max))
      try coder.code(3, "height", .fixed32, &height, upTo: Int(UInt32.max))
      try coder.code(4, "encoding", .string, &encoding)
      try coder.code(5, "step", .fixed32, &step, upTo: Int(UInt32.max))
      try coder.code(6, "data", .bytes, &data)
      try coder.code(7, "frame_id", .string, &frameID)
    }
  }

  package struct CompressedImage: DescribedMessage {
    package var timestamp: Time?
    /// Points into the decoded bytes.
    package var data = UnsafeRawBufferPointer(start: nil, count: 0)
    package var format = ""
    package var frameID = ""

    static let fullName = "foxglove.CompressedImage"

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> CompressedImage {
      try CompressedImage(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "data", .bytes, &data)
      try coder.code(3, "format", .string, &format)
      try coder.code(4, "frame_id", .string, &frameID)
    }
  }

  /// Only read.
  package struct CompressedVideo: DescribedMessage {
    package var timestamp: Time?
    package var frameID = ""
    /// Points into the decoded bytes.
    package var data = UnsafeRawBufferPointer(start: nil, count: 0)
    package var format = ""

    static let fullName = "foxglove.CompressedVideo"

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> CompressedVideo {
      try CompressedVideo(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "frame_id", .string, &frameID)
      try coder.code(3, "data", .bytes, &data)
      try coder.code(4, "format", .string, &format)
    }
  }

  struct Point2: DescribedMessage, Equatable {
    var x = 0.0
    var y = 0.0

    static let fullName = "foxglove.Point2"

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "x", .double, &x)
      try coder.code(2, "y", .double, &y)
    }
  }

  /// Components are 0 to 1.
  struct Color: DescribedMessage {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var alpha = 0.0

    static let fullName = "foxglove.Color"

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "r", .double, &red)
      try coder.code(2, "g", .double, &green)
      try coder.code(3, "b", .double, &blue)
      try coder.code(4, "a", .double, &alpha)
    }
  }

  struct PointsAnnotation: DescribedMessage {
    var timestamp: Time?
    var type: UInt64 = 0
    var points: [Point2] = []
    var outlineColor: Color?
    var outlineColors: [Color] = []
    var fillColor: Color?
    var thickness = 0.0

    static let fullName = "foxglove.PointsAnnotation"
    private static let types = ["UNKNOWN", "POINTS", "LINE_LOOP", "LINE_STRIP", "LINE_LIST"]
    static let lineLoop: UInt64 = 2
    /// In the file a point may take 2 bytes. Messages with more are not read.
    private static let largestPointCount = 16

    static var enumeration: EnumDescriptor? {
      EnumDescriptor(name: "Type", values: types.enumerated().map { .init(name: $0.element, number: $0.offset) })
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "type", .enumeration, &type)
      try coder.code(3, "points", .message, &points, upTo: Self.largestPointCount)
      try coder.code(4, "outline_color", .message, &outlineColor)
      try coder.code(5, "outline_colors", .message, &outlineColors, upTo: Self.largestPointCount)
      try coder.code(6, "fill_color", .message, &fillColor)
      try coder.code(7, "thickness", .double, &thickness)
    }
  }

  /// Not written, but part of the schema of `ImageAnnotations`.
  struct CircleAnnotation: DescribedMessage {
    var timestamp: Time?
    var position: Point2?
    var diameter = 0.0
    var thickness = 0.0
    var fillColor: Color?
    var outlineColor: Color?

    static let fullName = "foxglove.CircleAnnotation"

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "position", .message, &position)
      try coder.code(3, "diameter", .double, &diameter)
      try coder.code(4, "thickness", .double, &thickness)
      try coder.code(5, "fill_color", .message, &fillColor)
      try coder.code(6, "outline_color", .message, &outlineColor)
    }
  }

  /// Not written, but part of the schema of `ImageAnnotations`.
  struct TextAnnotation: DescribedMessage {
    var timestamp: Time?
    var position: Point2?
    var text = ""
    var fontSize = 0.0
    var textColor: Color?
    var backgroundColor: Color?

    static let fullName = "foxglove.TextAnnotation"

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "position", .message, &position)
      try coder.code(3, "text", .string, &text)
      try coder.code(4, "font_size", .double, &fontSize)
      try coder.code(5, "text_color", .message, &textColor)
      try coder.code(6, "background_color", .message, &backgroundColor)
    }
  }

  struct ImageAnnotations: DescribedMessage {
    var circles: [CircleAnnotation] = []
    var points: [PointsAnnotation] = []
    var texts: [TextAnnotation] = []

    static let fullName = "foxglove.ImageAnnotations"
    private static let largestCount = FacesMessage.largestFaceCount

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "circles", .message, &circles, upTo: Self.largestCount)
      try coder.code(2, "points", .message, &points, upTo: Self.largestCount)
      try coder.code(3, "texts", .message, &texts, upTo: Self.largestCount)
    }
  }
}
