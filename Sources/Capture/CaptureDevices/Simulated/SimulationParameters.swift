import FrameModel
import Parameters

extension PixelFormat: ParameterChoice {}

/// The options of a simulated camera.
package struct SimulationParameters: ParameterGroup {
  package enum Pace: String, ParameterChoice {
    case realTime = "realtime"
    case fast
  }

  package enum Depth: String, ParameterChoice {
    case millimeters = "mm"
    case raw11
    case disparity

    var pixels: PixelFormat {
      switch self {
      case .millimeters: .depthMillimeters16
      case .raw11: .kinectRaw11
      case .disparity: .disparityFloat32
      }
    }
  }

  private static let sizes = ParameterDeclaration.Domain.size(largestSide: 4096)

  let size = Parameter<PictureSize>(
    "size", as: sizes, default: .size(PictureSize(640, 480)), help: "size of colour frames")
  let rate = Parameter<FrameRate>(
    "fps", as: .rate, default: .rate(.thirty), help: "colour frames per second, such as 30 or 30000/1001")
  let seed = Parameter<Int>("seed", 0...Int.max, default: 1, help: "seed of colours, movement, noise and faults")
  let frames = Parameter<Int>(
    "frames", 0...1_000_000_000, default: 0, help: "number of frames to deliver; 0: no limit")
  let pace = Parameter<Pace>("pace", help: "fast: as fast as frames are consumed, with a virtual clock")
  let format = Parameter<PixelFormat>(
    "format", as: .choice([PixelFormat.rgb24, .yuyv, .nv12, .grey8, .bayerGRBG8].map(\.rawValue)),
    default: .text(PixelFormat.rgb24.rawValue), help: "colour format")
  let depth = Parameter<Depth>(
    "depth", help: "depth format; mm: 16-bit millimetres, raw11: Kinect v1, disparity: 32-bit float, 1/m")
  let depthSize = Parameter<PictureSize?>(
    "depth-size", ifGiven: sizes, help: "size of depth frames, with the same field of view; by default that of colour")
  let depthRate = Parameter<FrameRate?>(
    "depth-fps", ifGiven: .rate, help: "depth frames per second, which must divide fps; by default fps")
  let faces = Parameter<Bool>(
    "faces", default: true, help: "reports the face's rectangle and angles with each colour frame")
  let faceLost = Parameter<Range<Int>?>(
    "face-lost", ifGiven: .frames, help: "colour frames, counted from 0, in which no face is reported")
  let alpha = Parameter<Bool>("alpha", default: true, help: "adds a stream of the person's exact alpha")
  let noise = Parameter<Bool>("noise", default: true, help: "simulates sensor noise; else sensors are ideal")
  let person = Parameter<Bool>("person", default: true, help: "shows a person; else an empty room")
  let hardness = SceneParameters()
  let drop = Parameter<Double>(
    "drop", 0...1, default: 0, help: "probability that a frame is dropped, leaving a gap in the sequence numbers")
  let late = Parameter<Double>(
    "late", 0...1, default: 0, help: "probability that a frame arrives one and a half to three periods late")
  let duplicate = Parameter<Double>(
    "duplicate", 0...1, default: 0, help: "probability that a frame is delivered twice")
  let damage = Parameter<Double>("damage", 0...1, default: 0, help: "probability that a frame is truncated")
  let drift = Parameter<Double>(
    "drift", unit: "ppm", -1000...1000, default: 0, help: "drift of the device's clock, in parts per million")
  let tickBits = Parameter<Int>(
    "tick-bits", unit: "bits", 8...64, default: 64, help: "width of the device's tick counter, after which it wraps")
  let tickHertz = Parameter<Int>(
    "tick-hz", unit: "Hz", 1...1_000_000_000_000, default: 1_000_000, help: "frequency of the device's tick counter")
  let unplug = Parameter<Range<Int>?>(
    "unplug", ifGiven: .span, help: "disconnected from this frame on, for so many frames; pace=realtime only")
  let stall = Parameter<Range<Int>?>(
    "stall", ifGiven: .span, help: "delivers nothing from this frame on, for so many frames; pace=realtime only")
  let backlog = Parameter<Int?>(
    "backlog", unit: "frames", ifGiven: .integer(1...1000),
    help: "how far a busy machine may fall behind before frames are dropped; by default 2; pace=realtime only")
  let jitter = Parameter<Int>(
    "jitter", unit: "µs", 0...1_000_000, default: 0, help: "largest random delay of a frame's arrival")
}
