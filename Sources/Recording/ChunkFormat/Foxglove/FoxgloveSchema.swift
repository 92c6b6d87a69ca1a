extension Foxglove {
  /// Schemas of the messages that are written. Raw values are their ids in the file.
  enum Schema: UInt16, CaseIterable {
    case rawImage = 1
    case compressedImage, imageAnnotations, cameraCalibration, frameTransform

    var isOfCalibration: Bool { self == .cameraCalibration || self == .frameTransform }

    /// The schema's message last, after the messages that it refers to.
    private var messages: [any DescribedMessage.Type] {
      switch self {
      case .rawImage: [Time.self, RawImage.self]
      case .compressedImage: [Time.self, CompressedImage.self]
      case .imageAnnotations:
        [
          Time.self, Color.self, Point2.self, CircleAnnotation.self, PointsAnnotation.self, TextAnnotation.self,
          ImageAnnotations.self,
        ]
      case .cameraCalibration: [Time.self, CameraCalibration.self]
      case .frameTransform: [Time.self, Vector3.self, Quaternion.self, FrameTransform.self]
      }
    }

    var record: MCAPSchema {
      let files = messages.map { file(of: $0) }
      return MCAPSchema(
        id: rawValue, name: messages.last?.fullName ?? "", encoding: "protobuf",
        data: FileDescriptorSet(files: files).bytes)
    }

    /// The descriptor of a file that holds only this message.
    private func file(of message: any DescribedMessage.Type) -> FileDescriptor {
      let descriptor = message.descriptor
      let imports = messages.filter { other in
        descriptor.fields.contains { $0.typeName == ".\(other.fullName)" }
      }
      return FileDescriptor(
        name: Self.fileName(message), package: message == Time.self ? "google.protobuf" : "foxglove",
        imports: imports.map(Self.fileName).sorted(), messages: [descriptor], syntax: "proto3")
    }

    private static func fileName(_ message: any DescribedMessage.Type) -> String {
      message == Time.self
        ? "google/protobuf/timestamp.proto" : "\(message.fullName.replacing(".", with: "/")).proto"
    }
  }
}
