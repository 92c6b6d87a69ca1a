import CFreenect
import Parameters

/// The options of a Kinect.
package struct KinectParameters: ParameterGroup {
  package enum Resolution: String, ParameterChoice {
    case medium, high
  }

  private static let flag = ParameterDeclaration.Domain.integer(0...1)

  let video = Parameter<KinectVideo>(
    "video",
    help: "bayer: the raw sensor data, a third of the size; yuv-rgb: 15 fps; ir8, ir10 and ir10-packed: infrared")
  let resolution = Parameter<Resolution>(
    "resolution", help: "of video; medium: 640x480, infrared 640x488; high: 1280x1024, about 10 fps")
  let depth = Parameter<KinectDepth>(
    "depth", help: "11bit: raw sensor values; mm: millimetres; registered: millimetres, registered to colour")
  let motion = Parameter<Bool>("motion", default: true, help: "records accelerometer and tilt")
  let tilt = Parameter<Int?>(
    "tilt", unit: "degrees", ifGiven: .integer(-30...30), help: "tilts the motor, measured from the horizon")
  let led = Parameter<KinectLED?>(
    "led", ifGiven: .choice(KinectLED.allCases.map(\.rawValue)), help: "colour of the LED")
  let autoExposure = Parameter<Int?>("auto-exposure", ifGiven: flag, help: "1: on, 0: off")
  let autoWhiteBalance = Parameter<Int?>("auto-white-balance", ifGiven: flag, help: "1: on, 0: off")
  let rawColor = Parameter<Int?>("raw-color", ifGiven: flag, help: "1: the sensor's uncorrected colours")
  let mirrorVideo = Parameter<Int?>("mirror-video", ifGiven: flag, help: "1: mirrors colour")
  let mirrorDepth = Parameter<Int?>("mirror-depth", ifGiven: flag, help: "1: mirrors depth")
  let nearMode = Parameter<Int?>(
    "near-mode", ifGiven: flag, help: "1: a nearer depth range (Kinect for Windows only)")
  let infraredBrightness = Parameter<Int?>(
    "ir-brightness", ifGiven: .integer(1...50), help: "brightness of the infrared projector")
}

package enum KinectLED: String, ParameterChoice {
  case off, green, red, yellow
  case blinkGreen = "blink-green"
  case blinkRedYellow = "blink-red-yellow"

  var state: freenect_led_options {
    switch self {
    case .off: LED_OFF
    case .green: LED_GREEN
    case .red: LED_RED
    case .yellow: LED_YELLOW
    case .blinkGreen: LED_BLINK_GREEN
    case .blinkRedYellow: LED_BLINK_RED_YELLOW
    }
  }
}
