import Support

/// The messages for lenses and the places of cameras. Names and numbers are those of
/// schemas/proto/foxglove in github.com/foxglove/foxglove-sdk.
extension Foxglove {
  package struct CameraCalibration: DescribedMessage {
    package var timestamp: Time?
    package var width = 0
    package var height = 0
    package var distortionModel = ""
    /// Distortion in OpenCV's order.
    package var d = PackedDoubles()
    /// Camera matrix, 3 × 3.
    package var k = PackedDoubles()
    /// Rectification, 3 × 3.
    package var r = PackedDoubles()
    /// Projection, 3 × 4.
    package var p = PackedDoubles()
    package var frameID = ""

    static let fullName = "foxglove.CameraCalibration"

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> CameraCalibration {
      try CameraCalibration(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "width", .fixed32, &width, upTo: Int(UInt32.max))
      try coder.code(3, "height", .fixed32, &height, upTo: Int(UInt32.max))
      try coder.code(4, "distortion_model", .string, &distortionModel)
      try coder.code(5, "D", .double, &d)
      try coder.code(6, "K", .double, &k)
      try coder.code(7, "R", .double, &r)
      try coder.code(8, "P", .double, &p)
      try coder.code(9, "frame_id", .string, &frameID)
    }
  }

  package struct Vector3: DescribedMessage {
    package var x = 0.0
    package var y = 0.0
    package var z = 0.0

    static let fullName = "foxglove.Vector3"

    package init() {}
    init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "x", .double, &x)
      try coder.code(2, "y", .double, &y)
      try coder.code(3, "z", .double, &z)
    }
  }

  package struct Quaternion: DescribedMessage {
    package var x = 0.0
    package var y = 0.0
    package var z = 0.0
    package var w = 0.0

    static let fullName = "foxglove.Quaternion"

    package init() {}
    init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "x", .double, &x)
      try coder.code(2, "y", .double, &y)
      try coder.code(3, "z", .double, &z)
      try coder.code(4, "w", .double, &w)
    }
  }

  /// A point of the child's frame of reference is at rotation · point + translation of the parent's, in
  /// metres.
  package struct FrameTransform: DescribedMessage {
    package var timestamp: Time?
    package var parentFrameID = ""
    package var childFrameID = ""
    package var translation: Vector3?
    package var rotation: Quaternion?

    static let fullName = "foxglove.FrameTransform"

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FrameTransform {
      try FrameTransform(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "timestamp", .message, &timestamp)
      try coder.code(2, "parent_frame_id", .string, &parentFrameID)
      try coder.code(3, "child_frame_id", .string, &childFrameID)
      try coder.code(4, "translation", .message, &translation)
      try coder.code(5, "rotation", .message, &rotation)
    }
  }

  package struct FrameTransforms: DescribedMessage {
    package var transforms: [FrameTransform] = []

    static let fullName = "foxglove.FrameTransforms"

    private static let limit = 4096

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> FrameTransforms {
      try FrameTransforms(reading: bytes)
    }

    mutating func code<Coder: ProtobufCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code(1, "transforms", .message, &transforms, upTo: Self.limit)
    }
  }
}
