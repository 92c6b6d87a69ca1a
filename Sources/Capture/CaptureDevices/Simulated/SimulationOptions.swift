import FrameModel
import Support

package struct SimulationOptions: Hashable, Sendable {
  package var width: Int
  package var height: Int
  package var rate: FrameRate
  package var seed: UInt64
  /// Number of instants; 0 for no end.
  package var frames: Int
  package var isRealTime: Bool
  package var colorFormat: PixelFormat
  package var depthFormat: PixelFormat
  package var depthWidth: Int
  package var depthHeight: Int
  package var framesPerDepth: Int
  package var depthRate: FrameRate
  package var faces: Bool
  package var alpha: Bool
  package var noise: Bool
  package var person: Bool
  package var faceLost: ClosedRange<Int>?
  package var faults: FaultSchedule.Probabilities
  /// Positive if the device's clock is fast.
  package var driftPartsPerBillion: Int64
  package var clock: TickClock
  package var jitterMicroseconds: Int
  /// Instants that a slow machine may fall behind before it drops any. Real time only.
  package var backlog: Int
  package static let defaultBacklog = 2
  /// Instants at which the camera is unplugged, or delivers nothing. Real time only.
  package var unplugged: Range<Int>?
  package var silent: Range<Int>?

  package static let options: [(name: String, help: String)] = [
    ("size", "size of colour frames, 1x1 to 4096x4096 (640x480)"),
    ("fps", "colour frames per second, such as 30 or 30000/1001, up to 1000 (30)"),
    ("seed", "seed of colours, movement, noise and faults, 0 or more (1)"),
    ("frames", "number of frames to deliver; 0 = no limit (0)"),
    ("pace", "realtime, or fast: as fast as frames are consumed, with a virtual clock (realtime)"),
    ("format", "colour format: RGB24, YUYV, NV12, GREY or GRBG8 (RGB24)"),
    ("depth", "depth format: mm (16-bit millimetres), raw11 (Kinect v1) or disparity (32-bit float, 1/m) (mm)"),
    ("depth-size", "size of depth frames, with the same field of view, 1x1 to 4096x4096 (size)"),
    ("depth-fps", "depth frames per second; must divide fps (fps)"),
    ("faces", "1 reports the face's rectangle and angles with each colour frame, 0 does not (1)"),
    ("face-lost", "first-last: colour frames, counted from 0, in which no face is reported (none)"),
    ("alpha", "1 adds a stream of the person's exact alpha, 0 does not (1)"),
    ("noise", "1 simulates sensor noise, 0 ideal sensors (1)"),
    ("person", "1 shows a person, 0 an empty room (1)"),
    ("drop", "probability that a frame is dropped, leaving a gap in the sequence numbers, 0 to 1 (0)"),
    ("late", "probability that a frame arrives one and a half to three periods late, 0 to 1 (0)"),
    ("duplicate", "probability that a frame is delivered twice, 0 to 1 (0)"),
    ("damage", "probability that a frame is truncated, 0 to 1 (0)"),
    ("drift", "clock drift of the device, -1000 to 1000 parts per million (0)"),
    ("tick-bits", "width of the device's tick counter in bits, after which it wraps, 8 to 64 (64)"),
    ("tick-hz", "frequency of the device's tick counter in Hz, 1 to 10^12 (1000000)"),
    ("unplug", "AT:FOR: disconnected from frame AT on for the duration of FOR frames; real time only (none)"),
    ("stall", "AT:FOR: delivers nothing from frame AT on for the duration of FOR frames; real time only (none)"),
    (
      "backlog",
      "how many frames a busy machine may fall behind before frames are dropped, 1 to 1000; real time only (2)"
    ),
    ("jitter", "largest random delay of a frame's arrival in microseconds, 0 to 1000000 (0)"),
  ]

  private static let largestSide = 4096

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    guard specification.kind == "simulated" else {
      throw RetakeError(.usage, "'\(specification.text)' is not a simulated camera.")
    }
    guard specification.place.isEmpty else {
      throw RetakeError(
        .usage,
        "A simulated camera takes nothing after a colon, but '\(specification.text)' gives '\(specification.place)'.",
        hint: "write options after a question mark, as in simulated?seed=7")
    }
    try specification.check(options: Self.options.map(\.name))

    (width, height) = try Self.size(specification, "size", default: (640, 480))
    (depthWidth, depthHeight) = try Self.size(specification, "depth-size", default: (width, height))
    let thirty = try FrameRate(30)
    rate = try Self.rate(specification, "fps", default: thirty)
    depthRate = try Self.rate(specification, "depth-fps", default: rate)
    framesPerDepth = try Self.ratio(specification, rate, depthRate)

    seed = UInt64(try specification.integer("seed", in: 0...Int.max, default: 1))
    frames = try specification.integer("frames", in: 0...1_000_000_000, default: 0)
    isRealTime = try specification.choice("pace", of: ["realtime", "fast"]) == "realtime"
    let colorFormats: [PixelFormat] = [.rgb24, .yuyv, .nv12, .grey8, .bayerGRBG8]
    let color = try specification.choice("format", of: colorFormats.map(\.rawValue))
    colorFormat = PixelFormat(rawValue: color) ?? .rgb24
    switch try specification.choice("depth", of: ["mm", "raw11", "disparity"]) {
    case "raw11": depthFormat = .kinectRaw11
    case "disparity": depthFormat = .disparityFloat32
    default: depthFormat = .depthMillimeters16
    }
    faces = try Self.flag(specification, "faces")
    alpha = try Self.flag(specification, "alpha")
    noise = try Self.flag(specification, "noise")
    person = try Self.flag(specification, "person")
    faceLost = try Self.range(specification, "face-lost")

    faults = FaultSchedule.Probabilities(
      drop: try specification.real("drop", in: 0...1, default: 0),
      late: try specification.real("late", in: 0...1, default: 0),
      duplicate: try specification.real("duplicate", in: 0...1, default: 0),
      damage: try specification.real("damage", in: 0...1, default: 0))
    let drift = try specification.real("drift", in: -1000...1000, default: 0)
    if faults.drop == 1 && !isRealTime && frames == 0 {
      throw specification.invalid(
        "drop",
        "below 1 with pace=fast and no frames=N; add frames=N or pace=realtime to simulate a camera that "
          + "delivers nothing"
      )
    }
    driftPartsPerBillion = Int64((drift * 1000).rounded(.toNearestOrEven))
    clock = try TickClock(
      hertz: Int64(try specification.integer("tick-hz", in: 1...1_000_000_000_000, default: 1_000_000)),
      bits: try specification.integer("tick-bits", in: 8...64, default: 64))
    jitterMicroseconds = try specification.integer("jitter", in: 0...1_000_000, default: 0)
    backlog = try specification.integer("backlog", in: 1...1000, default: Self.defaultBacklog)
    if specification["backlog"] != nil { try Self.checkRealTime(specification, "backlog", isRealTime) }
    unplugged = try Self.span(specification, "unplug", isRealTime)
    silent = try Self.span(specification, "stall", isRealTime)
  }

  private static func flag(_ specification: DeviceSpecification, _ name: String) throws(RetakeError) -> Bool {
    try specification.choice(name, of: ["1", "0"]) == "1"
  }

  private static func size(
    _ specification: DeviceSpecification, _ name: String, default fallback: (width: Int, height: Int)
  ) throws(RetakeError) -> (Int, Int) {
    let size = try specification.size(name, default: fallback)
    guard size.width <= largestSide, size.height <= largestSide else {
      throw specification.invalid(name, "at most \(largestSide)x\(largestSide)")
    }
    return size
  }

  private static func rate(
    _ specification: DeviceSpecification, _ name: String, default fallback: FrameRate
  ) throws(RetakeError) -> FrameRate {
    let rate = try specification.rate(name, default: fallback)
    guard rate.framesPerSecond >= 0.001 else {
      throw specification.invalid(name, "at least one frame per 1000 seconds")
    }
    return rate
  }

  private static func ratio(
    _ specification: DeviceSpecification, _ color: FrameRate, _ depth: FrameRate
  ) throws(RetakeError) -> Int {
    let numerator = color.numerator.multipliedFullWidth(by: depth.denominator)
    let denominator = depth.numerator.multipliedFullWidth(by: color.denominator)
    // Both products are below 10¹⁸, so their upper halves are empty.
    let (quotient, remainder) = numerator.low.quotientAndRemainder(dividingBy: denominator.low)
    guard remainder == 0, quotient >= 1 else {
      throw specification.invalid("depth-fps", "the frame rate \(color) divided by a whole number")
    }
    return Int(quotient)
  }

  private static func range(
    _ specification: DeviceSpecification, _ name: String
  ) throws(RetakeError) -> ClosedRange<Int>? {
    guard let text = specification[name] else { return nil }
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
      throw specification.invalid(name, "two frame numbers such as 100-160")
    }
    return first...last
  }

  private static func span(
    _ specification: DeviceSpecification, _ name: String, _ isRealTime: Bool
  ) throws(RetakeError) -> Range<Int>? {
    guard let text = specification[name] else { return nil }
    let words = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard words.count == 2, let first = words[0], let count = words[1], (0...1_000_000_000).contains(first),
      (1...1_000_000_000).contains(count)
    else { throw specification.invalid(name, "a frame and a number of frames such as 90:60") }
    try checkRealTime(specification, name, isRealTime)
    return first..<first + count
  }

  private static func checkRealTime(
    _ specification: DeviceSpecification, _ name: String, _ isRealTime: Bool
  ) throws(RetakeError) {
    guard isRealTime else {
      throw RetakeError(.usage, "'\(name)' in device '\(specification.text)' needs pace=realtime.")
    }
  }
}
