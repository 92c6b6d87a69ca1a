import FrameModel
import Parameters
import SceneRendering
import Support

/// What a simulated camera shows, how it delivers, and what goes wrong.
package struct SimulationOptions: Hashable, Sendable {
  package static let parameters = SimulationParameters()

  var scene = SceneOptions()
  /// Number of instants; 0 for no end.
  var frames: Int
  var isRealTime: Bool
  var framesPerDepth: Int
  var depthRate: FrameRate
  var faces: Bool
  var alpha: Bool
  var faceLost: Range<Int>?
  var faults: FaultSchedule
  /// Positive if the device's clock is fast.
  var driftPartsPerBillion: Int64
  var clock: TickClock
  var jitterMicroseconds: Int
  /// Instants that a slow machine may fall behind before it drops any. Real time only.
  var backlog: Int
  static let defaultBacklog = 2
  /// Instants at which the camera is unplugged, or delivers nothing. Real time only.
  var unplugged: Range<Int>?
  var silent: Range<Int>?

  init(_ specification: DeviceSpecification) throws(RetakeError) {
    guard specification.kind == "simulated" else {
      throw RetakeError(.usage, "'\(specification.text)' is not a simulated camera.")
    }
    guard specification.place.isEmpty else {
      throw RetakeError(
        .usage,
        "A simulated camera takes nothing after a colon, but '\(specification.text)' gives '\(specification.place)'.",
        hint: "write options after a question mark, as in simulated?seed=7")
    }
    let (values, names) = (try specification.values(Self.parameters), Self.parameters)
    scene.size = values[names.size]
    scene.depthSize = values[names.depthSize] ?? scene.size
    scene.colorFormat = values[names.format]
    scene.depthFormat = values[names.depth].pixels
    scene.rate = values[names.rate]
    scene.seed = UInt64(values[names.seed])
    scene.noise = values[names.noise]
    scene.person = values[names.person]
    scene.scene = values[names.hardness.scene]
    scene.effects = names.hardness.effects(values)
    depthRate = values[names.depthRate] ?? scene.rate
    framesPerDepth = try Self.ratio(specification, scene.rate, depthRate)

    frames = values[names.frames]
    isRealTime = values[names.pace] == .realTime
    (faces, alpha) = (values[names.faces], values[names.alpha])
    faceLost = values[names.faceLost]

    faults = FaultSchedule(
      seed: scene.seed, drop: values[names.drop], late: values[names.late], duplicate: values[names.duplicate],
      damage: values[names.damage])
    if faults.drop == 1 && !isRealTime && frames == 0 {
      throw specification.invalid(
        "drop",
        "below 1 with pace=fast and no frames=N; add frames=N or pace=realtime to simulate a camera that "
          + "delivers nothing"
      )
    }
    driftPartsPerBillion = Int64((values[names.drift] * 1000).rounded(.toNearestOrEven))
    clock = try TickClock(hertz: Int64(values[names.tickHertz]), bits: values[names.tickBits])
    jitterMicroseconds = values[names.jitter]
    backlog = values[names.backlog] ?? Self.defaultBacklog
    unplugged = values[names.unplug]
    silent = values[names.stall]
    for name in ["backlog", "unplug", "stall"] where specification[name] != nil && !isRealTime {
      throw RetakeError(.usage, "'\(name)' in device '\(specification.text)' needs pace=realtime.")
    }
  }

  private static func ratio(
    _ specification: DeviceSpecification, _ color: FrameRate, _ depth: FrameRate
  ) throws(RetakeError) -> Int {
    // Both products are at most 10¹⁸.
    let (quotient, remainder) = (color.numerator * depth.denominator)
      .quotientAndRemainder(dividingBy: depth.numerator * color.denominator)
    guard remainder == 0, quotient >= 1 else {
      throw specification.invalid("depth-fps", "the frame rate \(color) divided by a whole number")
    }
    return quotient
  }
}
