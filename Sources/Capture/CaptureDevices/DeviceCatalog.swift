import Parameters
import Support

package enum DeviceCatalog {
  package struct Kind: Sendable {
    package let name: String
    /// Placeholder in help for what follows the colon; empty for nothing.
    package let place: String
    package let help: String
    package let options: [ParameterDeclaration]
    /// Whether a camera may have controls beside the options, known only once it is open.
    package var takesOthers = false
    let open: @Sendable (DeviceSpecification) throws(RetakeError) -> any CaptureDevice
    let list: @Sendable () -> [(place: String, summary: String)]
    /// Why no device of this kind can be used, such as a library that is not installed; nil if they can.
    package var problem: @Sendable () -> RetakeError? = { nil }
    /// Formats and modes, and controls on request; nil for kinds that cannot list them.
    package var details: (@Sendable (DeviceSpecification, _ withControls: Bool) throws(RetakeError) -> DeviceDetails)?
  }

  package static let kinds: [Kind] = [
    Kind(
      name: "simulated", place: "", help: "a rendered person in a furnished room; the same seed gives identical frames",
      options: SimulationOptions.parameters.declarations,
      open: SimulatedCamera.init,
      list: { [("", "simulated camera, always available")] }),
    Kind(
      name: "tum", place: "FOLDER", help: "an RGB-D data set in the TUM benchmark's layout",
      options: TUMDataSet.parameters.declarations, open: TUMDataSet.init, list: { [] }),
    Kind(
      name: "kinect", place: "INDEX", help: "a Kinect v1 through libfreenect",
      options: KinectOptions.parameters.declarations, open: KinectDevice.init, list: KinectDevice.list,
      problem: { FreenectLibrary.missing }),
    Kind(
      name: "openni2", place: "INDEX", help: "a Xtion, PrimeSense or older Astra through OpenNI 2",
      options: OpenNI2Options.parameters.declarations, open: OpenNI2Device.init, list: OpenNI2Device.list,
      problem: { OpenNI2Library.missing }),
    Kind(
      name: "v4l2", place: "NODE", help: "a camera through Video4Linux: 0, /dev/video0, /dev/v4l/by-id/…",
      options: V4L2Options.parameters.declarations, takesOthers: true, open: V4L2Device.init,
      list: VideoNodeList.cameras, details: DeviceDetails.v4l2),
  ]

  package static func open(_ text: String) throws(RetakeError) -> any CaptureDevice {
    let specification = try DeviceSpecification(text)
    return try kind(of: specification).open(specification)
  }

  /// Formats, modes and controls of a device; nil for kinds that cannot list them.
  package static func details(_ text: String, withControls: Bool) throws(RetakeError) -> DeviceDetails? {
    let specification = try DeviceSpecification(text)
    return try kind(of: specification).details?(specification, withControls)
  }

  package static func takes(_ option: String, kind: String) -> Bool {
    guard let kind = kinds.first(where: { $0.name == kind }) else { return false }
    return kind.takesOthers || kind.options.contains { $0.name == option }
  }

  private static func kind(of specification: DeviceSpecification) throws(RetakeError) -> Kind {
    if let kind = kinds.first(where: { $0.name == specification.kind }) { return kind }
    throw RetakeError(
      .usage, "Unknown kind of device: '\(specification.kind)'.",
      hint: specification.kind.hasPrefix("/dev/video")
        ? "write v4l2:\(specification.text)"
        : "\(Spelling.guess(specification.kind, in: kinds.map(\.name)))use one of \(kinds.map(\.name).joined(separator: ", ")); 'retake devices' describes them"
    )
  }

  package static func available() -> [(specification: String, summary: String)] {
    kinds.flatMap { kind in
      kind.list().map { ($0.place.isEmpty ? kind.name : "\(kind.name):\($0.place)", $0.summary) }
    }
  }
}
