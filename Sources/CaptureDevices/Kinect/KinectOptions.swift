import CFreenect
import FrameModel

/// What a person asks of a Kinect: `kinect[:index or serial][?video=…&depth=…&motion=…&tilt=…&led=…]`.
package struct KinectOptions: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case index(Int)
    case serial(String)
  }
  package enum Video: String, Hashable, Sendable {
    case rgb, bayer, none
  }
  package enum Depth: String, Hashable, Sendable {
    case raw11 = "11bit"
    case millimeters = "mm"
    /// Millimetres, seen from the colour camera.
    case registered
    case none
  }

  package let place: Place
  package let video: Video
  package let depth: Depth
  package let motion: Bool
  /// Degrees from the horizon, up is positive. Nil leaves the motor alone.
  package let tilt: Int?
  package let led: String?
  /// Options that were given, not taken from the defaults: what they ask for must be there.
  package let given: Set<String>

  /// Names of the LED's states, in the order of libfreenect's numbers; 5 is a second name for 4.
  private static let leds: [(name: String, state: freenect_led_options)] = [
    ("off", LED_OFF), ("green", LED_GREEN), ("red", LED_RED), ("yellow", LED_YELLOW),
    ("blink-green", LED_BLINK_GREEN), ("blink-red-yellow", LED_BLINK_RED_YELLOW),
  ]
  package static let all: [(name: String, help: String)] = [
    ("video", "rgb (default), bayer (a third of the size, as the sensor sees) or none"),
    ("depth", "11bit (default, as the sensor sees), mm, registered (mm, laid over colour) or none"),
    ("motion", "1 (default) for accelerometer and tilt, or 0"),
    ("tilt", "turns the motor, -30 to 30 degrees from the horizon"),
    ("led", leds.map(\.name).joined(separator: ", ")),
  ]

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    try specification.check(options: Self.all.map(\.name))
    place = try Self.place(specification.place)
    let video = try specification.choice("video", of: ["rgb", "bayer", "none"])
    let depth = try specification.choice("depth", of: ["11bit", "mm", "registered", "none"])
    self.video = Video(rawValue: video) ?? .rgb
    self.depth = Depth(rawValue: depth) ?? .raw11
    motion = try specification.choice("motion", of: ["1", "0"]) == "1"
    tilt =
      specification["tilt"] == nil
      ? nil : try specification.integer("tilt", in: -30...30, default: 0)
    led = specification["led"] == nil ? nil : try specification.choice("led", of: Self.leds.map(\.name))
    given = Set(Self.all.map(\.name).filter { specification[$0] != nil })
    guard self.video != .none || self.depth != .none || motion else {
      throw RetakeError(
        .usage, "Device '\(specification.text)' asks for no stream at all.",
        hint: "leave out one of video=none, depth=none and motion=0")
    }
  }

  /// Up to two digits are an index: the serial numbers are longer, even those that are digits alone.
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
        hint: "write kinect:0 for the first one; 'retake devices' lists them")
    }
    return .serial(text)
  }

  /// Whether tilt, LED or accelerometer are wanted, which are a USB device beside the camera.
  var needsMotor: Bool { motion || tilt != nil || led != nil }
  /// Whether it was asked for in so many words, so that doing without is an error.
  var insistsOnMotor: Bool { !given.isDisjoint(with: ["motion", "tilt", "led"]) && needsMotor }
  var ledState: freenect_led_options? { Self.leds.first { $0.name == led }?.state }

  /// Fakenect aborts the program when asked for what it does not have, so it never is.
  package func checkForFakenect() throws(RetakeError) {
    guard place == .index(0) else {
      throw RetakeError(.notFound, "fakenect has one Kinect only.", hint: "write kinect:0")
    }
    if video == .bayer { throw unsupportedByFakenect("video=bayer", instead: "video=rgb") }
    if depth == .millimeters || depth == .registered {
      throw unsupportedByFakenect("depth=\(depth.rawValue)", instead: "depth=11bit")
    }
  }

  private func unsupportedByFakenect(_ option: String, instead: String) -> RetakeError {
    RetakeError(
      .unsupported, "fakenect cannot do \(option): its sessions hold RGB and 11-bit depth.",
      hint: "use \(instead), or a real Kinect")
  }
}
