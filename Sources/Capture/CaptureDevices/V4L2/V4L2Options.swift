import FrameModel
import Support

/// Options of a V4L2 camera:
/// `v4l2[:node][?format=…&size=…&fps=…&kind=…&depth-unit=…&input=…&control=value…]`.
package struct V4L2Options: Hashable, Sendable {
  package struct ControlSetting: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// Nil for the first camera.
  package let path: String?
  package let format: CameraFormat?
  package let size: VideoSize?
  package let rate: FrameRate?
  package let kind: StreamKind?
  /// Micrometres per depth count; nil if not given.
  package let depthUnit: Int?
  package let input: Int?
  /// In the order in which they are to be set.
  package let controls: [ControlSetting]

  package static let all: [(name: String, help: String)] = [
    ("format", CameraFormat.all.map(\.name).joined(separator: ", ")),
    ("size", "WIDTHxHEIGHT; by default the size nearest to 640x480"),
    ("fps", "frame rate, such as 30 or 30000/1001; by default the highest up to 30"),
    ("kind", "color, depth or infrared; by default given by the format (Z16: depth, Y16: infrared)"),
    ("depth-unit", "micrometres per count of a depth camera; by default 1000"),
    ("input", "number of the input, for a device with several; counts from 0"),
    (
      "CONTROL", "any control of the camera; controls are set in the given order; 'retake devices v4l2:NODE' lists them"
    ),
  ]
  private static let names = all.map(\.name).filter { $0 != "CONTROL" }

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    path = try Self.path(specification.place)
    if let text = specification["format"] {
      guard let named = CameraFormat.named(text) else {
        throw RetakeError(
          .unsupported, "Format '\(text)' is not supported.",
          hint: "supported formats: \(CameraFormat.all.map(\.name).joined(separator: ", "))")
      }
      format = named
    } else {
      format = nil
    }
    if specification["size"] != nil {
      let sides = try specification.size("size", default: (0, 0))
      size = VideoSize(sides.width, sides.height)
    } else {
      size = nil
    }
    rate = specification["fps"] == nil ? nil : try specification.rate("fps", default: FrameRate(30))
    if specification["kind"] == nil {
      kind = nil
    } else {
      kind = StreamKind(rawValue: try specification.choice("kind", of: ["color", "depth", "infrared"]))
    }
    if let format, let kind, !format.canShow(kind) {
      throw RetakeError(
        .usage, "Format \(format.name) cannot be recorded as \(kind.rawValue).",
        hint: "\(format.name) can be \(([format.kind] + format.otherKinds).map(\.rawValue).joined(separator: " or "))")
    }
    depthUnit =
      specification["depth-unit"] == nil
      ? nil : try specification.integer("depth-unit", in: 1...1_000_000, default: 1000)
    input = specification["input"] == nil ? nil : try specification.integer("input", in: 0...255, default: 0)
    controls = specification.options(besides: Self.names).map { ControlSetting(name: $0.name, value: $0.value) }
  }

  /// "0" and "video0" mean /dev/video0.
  private static func path(_ place: String) throws(RetakeError) -> String? {
    if place.isEmpty { return nil }
    if place.hasPrefix("/") { return place }
    if place.count <= 3, place.allSatisfy({ "0123456789".contains($0) }) { return "/dev/video\(place)" }
    let number = place.dropFirst("video".count)
    if place.hasPrefix("video"), (1...3).contains(number.count), number.allSatisfy({ "0123456789".contains($0) }) {
      return "/dev/\(place)"
    }
    throw RetakeError(
      .usage, "'\(place)' is not a camera.",
      hint:
        "write v4l2:0, v4l2:/dev/video0 or a stable name from /dev/v4l/by-id; 'retake devices' lists cameras")
  }
}
