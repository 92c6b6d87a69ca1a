import CFreenect
import FrameModel
import Parameters
import Support

/// Camera controls of a Kinect. Applied after the cameras start, since starting resets some.
package struct KinectControls: Hashable, Sendable {
  package struct Control: Hashable, Sendable {
    package let name: String
    package let value: Int
  }

  private struct Known: Sendable {
    let parameter: Parameter<Int?>
    /// Nil for the brightness, which is not a flag.
    let flag: freenect_flag?
    /// Streams whose pixels depend on the control.
    let kinds: [StreamKind]
    var name: String { parameter.declaration.name }
  }

  private static let known: [Known] = {
    let names = KinectOptions.parameters
    return [
      Known(parameter: names.autoExposure, flag: FREENECT_AUTO_EXPOSURE, kinds: [.color]),
      Known(parameter: names.autoWhiteBalance, flag: FREENECT_AUTO_WHITE_BALANCE, kinds: [.color]),
      Known(parameter: names.rawColor, flag: FREENECT_RAW_COLOR, kinds: [.color]),
      Known(parameter: names.mirrorVideo, flag: FREENECT_MIRROR_VIDEO, kinds: [.color]),
      Known(parameter: names.mirrorDepth, flag: FREENECT_MIRROR_DEPTH, kinds: [.depth]),
      Known(parameter: names.nearMode, flag: FREENECT_NEAR_MODE, kinds: [.depth]),
      Known(parameter: names.infraredBrightness, flag: nil, kinds: [.infrared, .depth]),
    ]
  }()

  package let given: [Control]

  init(_ values: ParameterSet) {
    given = Self.known.compactMap { known in values[known.parameter].map { Control(name: known.name, value: $0) } }
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
