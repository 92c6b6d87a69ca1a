import CFreenect
import FrameModel
import Support

/// Camera controls of a Kinect. Applied after the cameras start, since starting resets some.
package struct KinectControls: Hashable, Sendable {
  package struct Control: Hashable, Sendable {
    package let name: String
    package let value: Int
  }

  private struct Known {
    let name: String
    let help: String
    /// Nil for the brightness, which is not a flag.
    let flag: freenect_flag?
    let range: ClosedRange<Int>
    /// Streams whose pixels depend on the control.
    let kinds: [StreamKind]
  }

  private static let known = [
    Known(
      name: "auto-exposure", help: "1 or 0", flag: FREENECT_AUTO_EXPOSURE, range: 0...1, kinds: [.color]),
    Known(
      name: "auto-white-balance", help: "1 or 0", flag: FREENECT_AUTO_WHITE_BALANCE, range: 0...1, kinds: [.color]),
    Known(
      name: "raw-color", help: "1 for the sensor's uncorrected colours, or 0", flag: FREENECT_RAW_COLOR,
      range: 0...1, kinds: [.color]),
    Known(
      name: "mirror-video", help: "1 to mirror colour, or 0", flag: FREENECT_MIRROR_VIDEO, range: 0...1,
      kinds: [.color]),
    Known(
      name: "mirror-depth", help: "1 to mirror depth, or 0", flag: FREENECT_MIRROR_DEPTH, range: 0...1,
      kinds: [.depth]),
    Known(
      name: "near-mode", help: "1 for a nearer depth range, or 0 (Kinect for Windows only)", flag: FREENECT_NEAR_MODE,
      range: 0...1, kinds: [.depth]),
    Known(
      name: "ir-brightness", help: "1 to 50", flag: nil, range: 1...50, kinds: [.infrared, .depth]),
  ]

  package static let all: [(name: String, help: String)] = known.map { ($0.name, $0.help) }

  package let given: [Control]

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    var given: [Control] = []
    for known in Self.known where specification[known.name] != nil {
      let value = try specification.integer(known.name, in: known.range, default: known.range.lowerBound)
      given.append(Control(name: known.name, value: value))
    }
    self.given = given
  }

  package func settings(_ kind: StreamKind) -> [StreamDescription.Setting] {
    given.filter { control in
      Self.known.contains { $0.name == control.name && $0.kinds.contains(kind) }
    }.map { .init($0.name, "\($0.value)") }
  }

  /// The first control whose streams are all absent.
  package func stranded(among kinds: [StreamKind]) -> Control? {
    given.first { control in
      Self.known.contains { $0.name == control.name && $0.kinds.allSatisfy { !kinds.contains($0) } }
    }
  }

  /// - Returns: the first control that the device or its library refused.
  func apply(to device: OpaquePointer) -> Control? {
    given.first { control in
      guard let known = Self.known.first(where: { $0.name == control.name }) else { return true }
      guard let flag = known.flag else {
        return FreenectLibrary.setInfraredBrightness(UInt16(control.value), of: device) != true
      }
      return FreenectLibrary.setFlag(flag, control.value == 1, of: device) != true
    }
  }
}
