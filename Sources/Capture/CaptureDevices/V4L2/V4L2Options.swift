import FrameModel
import Parameters
import Support

/// Options of a V4L2 camera:
/// `v4l2[:node][?format=…&size=…&fps=…&kind=…&depth-unit=…&input=…&metadata=…&control=value…]`.
package struct V4L2Options: Hashable, Sendable {
  /// Nil for the first camera.
  package let path: String?
  package let format: CameraFormat?
  package let size: PictureSize?
  package let rate: FrameRate?
  package let kind: StreamKind?
  /// Micrometres per depth count; nil if not given.
  package let depthUnit: Int?
  package let input: Int?
  /// Whether times and numbers of frames come from the camera's metadata, where it has any.
  package let usesMetadata: Bool
  /// In the order in which they are to be set.
  package let controls: [DeviceSpecification.Option]

  package static let parameters = V4L2Parameters()

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let (values, names) = (try specification.values(Self.parameters, takesOthers: true), Self.parameters)
    path = try Self.path(specification.place)
    format = values[names.format].flatMap(CameraFormat.named)
    if let text = values[names.format], format == nil {
      throw RetakeError(
        .unsupported, "Format '\(text)' is not supported.", hint: "supported formats: \(CameraFormat.allNames)")
    }
    (size, rate, kind) = (values[names.size], values[names.rate], values[names.kind])
    if let format, let kind, !format.canShow(kind) {
      throw RetakeError(
        .usage, "Format \(format.name) cannot be recorded as \(kind.rawValue).",
        hint: "\(format.name) can be \(([format.kind] + format.otherKinds).map(\.rawValue).joined(separator: " or "))")
    }
    (depthUnit, input) = (values[names.depthUnit], values[names.input])
    usesMetadata = values[names.metadata] == .on
    controls = specification.options(besides: names.declarations.map(\.name))
  }

  /// "0" and "video0" mean /dev/video0.
  private static func path(_ place: String) throws(RetakeError) -> String? {
    if place.isEmpty { return nil }
    if place.hasPrefix("/") { return place }
    let number = place.hasPrefix("video") ? place.dropFirst("video".count) : place[...]
    if (1...3).contains(number.count), number.allSatisfy({ "0123456789".contains($0) }) { return "/dev/video\(number)" }
    throw RetakeError(
      .usage, "'\(place)' is not a camera.",
      hint:
        "write v4l2:0, v4l2:/dev/video0 or a stable name from /dev/v4l/by-id; 'retake devices' lists cameras")
  }
}

extension StreamKind: ParameterChoice {}

enum MetadataUse: String, ParameterChoice {
  case on, off
}

/// The options of a V4L2 camera, beside its controls.
package struct V4L2Parameters: ParameterGroup {
  let format = Parameter<String?>(
    "format", ifGiven: .text(CameraFormat.allNames),
    help: "pixel format; by default the best that the camera has")
  let size = Parameter<PictureSize?>(
    "size", ifGiven: .size(largestSide: FrameLayout.largestSide), help: "by default the size nearest to 640x480")
  let rate = Parameter<FrameRate?>(
    "fps", ifGiven: .rate, help: "frame rate, such as 30 or 30000/1001; by default the highest up to 30")
  let kind = Parameter<StreamKind?>(
    "kind", ifGiven: .choice([StreamKind.color, .depth, .infrared].map(\.rawValue)),
    help: "by default given by the format (Z16: depth, Y16: infrared)")
  let depthUnit = Parameter<Int?>(
    "depth-unit", unit: "µm", ifGiven: .integer(1...1_000_000),
    help: "micrometres per count of a depth camera; by default 1000")
  let metadata = Parameter<MetadataUse>(
    "metadata", as: .choice(MetadataUse.allCases.map(\.rawValue)), default: .text(MetadataUse.on.rawValue),
    help: "times and frame numbers from a RealSense's metadata node, if it has one; off: from the driver")
  let input = Parameter<Int?>(
    "input", ifGiven: .integer(0...255), help: "number of the input, for a device with several; counts from 0")
}
