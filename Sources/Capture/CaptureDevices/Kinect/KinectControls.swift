import CFreenect
import FrameModel
import Parameters

/// Camera controls of a Kinect. Applied after the cameras start, since starting resets some.
package struct KinectControls: Sendable {
  package struct Control: Sendable {
    package let name: String
    package let value: Int
    /// Nil for the brightness, which is not a flag.
    let flag: freenect_flag?
    /// Streams whose pixels depend on the control.
    let kinds: [StreamKind]
  }

  package let given: [Control]

  init(_ values: ParameterSet) {
    let names = KinectOptions.parameters
    let known: [(Parameter<Int?>, freenect_flag?, [StreamKind])] = [
      (names.autoExposure, FREENECT_AUTO_EXPOSURE, [.color]),
      (names.autoWhiteBalance, FREENECT_AUTO_WHITE_BALANCE, [.color]),
      (names.rawColor, FREENECT_RAW_COLOR, [.color]),
      (names.mirrorVideo, FREENECT_MIRROR_VIDEO, [.color]),
      (names.mirrorDepth, FREENECT_MIRROR_DEPTH, [.depth]),
      (names.nearMode, FREENECT_NEAR_MODE, [.depth]),
      (names.infraredBrightness, nil, [.infrared, .depth]),
    ]
    given = known.compactMap { parameter, flag, kinds in
      values[parameter].map { Control(name: parameter.declaration.name, value: $0, flag: flag, kinds: kinds) }
    }
  }

  package func settings(_ kind: StreamKind) -> [StreamDescription.Setting] {
    given.filter { $0.kinds.contains(kind) }.map { .init($0.name, "\($0.value)") }
  }

  /// The first control whose streams are all absent.
  package func stranded(among kinds: [StreamKind]) -> Control? {
    given.first { control in control.kinds.allSatisfy { !kinds.contains($0) } }
  }

  /// - Returns: the first control that the device or its library refused.
  func apply(to device: OpaquePointer) -> Control? {
    given.first { control in
      guard let flag = control.flag else {
        return FreenectLibrary.setInfraredBrightness(UInt16(control.value), of: device) != true
      }
      return FreenectLibrary.setFlag(flag, control.value == 1, of: device) != true
    }
  }
}
