import FrameModel
import Parameters
import Support

/// Options of a Kinect: `kinect[:index or serial][?video=…&depth=…&motion=…&tilt=…&led=…&…]`.
package struct KinectOptions: Sendable {
  package enum Place: Hashable, Sendable {
    case index(Int)
    case serial(String)
  }

  package let place: Place
  package let video: KinectVideo
  /// 1280x1024 instead of 640x480 (infrared 640x488), at about 10 frames a second.
  package let isHighResolution: Bool
  package let depth: KinectDepth
  package let motion: Bool
  /// Degrees from the horizon, up is positive. Nil leaves the motor alone.
  package let tilt: Int?
  package let led: KinectLED?
  package let controls: KinectControls
  /// Options given explicitly. The streams that they name must exist.
  package let given: Set<String>

  package static let parameters = KinectParameters()

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let (values, names) = (try specification.values(Self.parameters), Self.parameters)
    place = try Self.place(specification.place)
    (video, depth) = (values[names.video], values[names.depth])
    isHighResolution = values[names.resolution] == .high
    controls = KinectControls(values)
    (motion, tilt, led) = (values[names.motion], values[names.tilt], values[names.led])
    given = Set(names.declarations.map(\.name).filter { specification[$0] != nil })
    guard video != .none || depth != .none || motion else {
      throw RetakeError(
        .usage, "Device '\(specification.text)' disables all streams.",
        hint: "leave out video=none, depth=none or motion=0")
    }
    try checkTogether()
  }

  private func checkTogether() throws(RetakeError) {
    if isHighResolution && !video.hasHighResolution {
      throw RetakeError(
        .usage, "A Kinect has no high resolution for video=\(video.rawValue).",
        hint: "use resolution=high with rgb, bayer or infrared")
    }
    if isHighResolution && video.isInfrared && depth != .none {
      throw RetakeError(
        .usage, "A Kinect cannot send depth together with high-resolution infrared.",
        hint: "add depth=none, or leave out resolution=high")
    }
    if depth == .registered && video.isInfrared {
      throw RetakeError(
        .usage, "Depth cannot be registered to colour, since video=\(video.rawValue) records no colour.",
        hint: "use depth=11bit")
    }
    var kinds: [StreamKind] = []
    if video != .none { kinds.append(video.kind) }
    if depth != .none { kinds.append(.depth) }
    if let control = controls.stranded(among: kinds) {
      throw RetakeError(
        .usage, "'\(control.name)' applies to a stream that is not recorded.", hint: "leave it out")
    }
  }

  /// Up to two digits are an index; serial numbers are longer.
  private static func place(_ text: String) throws(RetakeError) -> Place {
    if text.isEmpty { return .index(0) }
    if text.count <= 2, text.allSatisfy({ "0123456789".contains($0) }), let index = Int(text) {
      return .index(index)
    }
    let isSerial =
      (4...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard isSerial else {
      throw RetakeError(
        .usage, "'\(text)' is neither the index nor the serial number of a Kinect.",
        hint: "use kinect:0 for the first one; 'retake devices' lists them")
    }
    return .serial(text)
  }

  /// Whether tilt, LED or accelerometer are needed, which are a USB device beside the camera.
  var needsMotor: Bool { motion || tilt != nil || led != nil }
  /// Whether they were requested explicitly, so that their absence is an error.
  var insistsOnMotor: Bool { !given.isDisjoint(with: ["motion", "tilt", "led"]) && needsMotor }

  /// Fakenect aborts the program for unsupported formats, so they are rejected here.
  package func checkForFakenect() throws(RetakeError) {
    guard place == .index(0) else {
      throw RetakeError(.notFound, "fakenect emulates only one Kinect.", hint: "use kinect:0")
    }
    if video != .rgb && video != .none {
      throw unsupportedByFakenect("video=\(video.rawValue)", instead: "video=rgb")
    }
    if isHighResolution { throw unsupportedByFakenect("resolution=high", instead: "resolution=medium") }
    if depth != .raw11 && depth != .none {
      throw unsupportedByFakenect("depth=\(depth.rawValue)", instead: "depth=11bit")
    }
    if let control = controls.given.first {
      throw RetakeError(
        .unsupported, "fakenect does not support '\(control.name)'.", hint: "leave it out, or use a real Kinect")
    }
  }

  private func unsupportedByFakenect(_ option: String, instead: String) -> RetakeError {
    RetakeError(
      .unsupported, "fakenect does not support \(option): its sessions hold RGB and 11-bit depth.",
      hint: "use \(instead), or a real Kinect")
  }
}
