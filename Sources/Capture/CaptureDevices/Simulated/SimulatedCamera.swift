import FrameModel
import SceneRendering
import Support

/// A simulated camera that sees a person in a room: `simulated?size=640x480&seed=7&drop=0.01`.
///
/// Delivers colour, depth from the same viewpoint, and the person's exact alpha, with the requested
/// noise and faults. Every byte is a function of the specification and the frame's number; in fast
/// mode, so is every timestamp.
package final class SimulatedCamera: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive: Bool
  private let options: SimulationOptions
  private let scene: Scene
  private let cable: SimulatedCable
  private let delivery = SingleDelivery()

  /// - Throws: `.usage` for an invalid option, `.disconnected` while the camera is unplugged.
  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    options = try SimulationOptions(specification)
    cable = SimulatedCable(specification, options)
    try cable.checkPlugged(now: .now())
    scene = try Scene(options.scene)
    isLive = options.isRealTime
    summary =
      "Simulated camera, \(options.scene.size) \(options.scene.colorFormat.rawValue) at \(options.scene.rate) fps,"
      + " seed \(options.scene.seed)"
    streams = try Self.streams(of: scene, options)
  }

  deinit { stop() }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let (options, scene, streams, cable) = (options, scene, streams, cable)
    try delivery.start { isStopping in
      SimulatedDelivery(options, scene, streams, cable, to: sink).run(isStopping)
    }
  }

  package func stop() { delivery.stop() }

  private static func streams(
    of scene: Scene, _ options: SimulationOptions
  ) throws(RetakeError) -> [StreamDescription] {
    func stream(_ kind: StreamKind, _ layout: FrameLayout, _ lens: Pinhole, _ rate: FrameRate) -> StreamDescription {
      StreamDescription(
        name: kind.rawValue, kind: kind, layout: layout, rate: rate, clock: options.clock, device: "simulated",
        settings: settings(options, lens))
    }
    let rate = options.scene.rate
    var streams = [
      stream(.color, scene.colorLayout, scene.colorLens, rate),
      stream(.depth, scene.depthLayout, scene.depthLens, options.depthRate),
    ]
    if options.alpha {
      let layout = try FrameLayout(.grey8, width: scene.colorLayout.width, height: scene.colorLayout.height)
      streams.append(stream(.alpha, layout, scene.colorLens, rate))
    }
    return streams
  }

  private static func settings(_ options: SimulationOptions, _ lens: Pinhole) -> [StreamDescription.Setting] {
    typealias Setting = StreamDescription.Setting
    let faults = options.faults
    return [
      Setting("seed", "\(options.scene.seed)"),
      Setting("focal-x", "\(lens.focalX)"),
      Setting("focal-y", "\(lens.focalY)"),
      Setting("center-x", "\(lens.centerX)"),
      Setting("center-y", "\(lens.centerY)"),
      Setting("registered", "1"),
      Setting("noise", options.scene.noise ? "1" : "0"),
      Setting("person", options.scene.person ? "1" : "0"),
      Setting("faces", options.faces ? "1" : "0"),
      Setting("face-lost", options.faceLost.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? ""),
      Setting("frames", "\(options.frames)"),
      Setting("pace", options.isRealTime ? "realtime" : "fast"),
      Setting("drop", "\(faults.drop)"),
      Setting("late", "\(faults.late)"),
      Setting("duplicate", "\(faults.duplicate)"),
      Setting("damage", "\(faults.damage)"),
      Setting("drift-ppb", "\(options.driftPartsPerBillion)"),
      Setting("jitter-microseconds", "\(options.jitterMicroseconds)"),
    ]
      + [("unplug", options.unplugged), ("stall", options.silent)].compactMap { name, span in
        span.map { Setting(name, "\($0.lowerBound):\($0.count)") }
      }
      + hardnessSettings(options.scene)
      + (options.backlog == SimulationOptions.defaultBacklog ? [] : [Setting("backlog", "\(options.backlog)")])
  }

  /// Nothing for the default scene, whose recordings have no such settings.
  private static func hardnessSettings(_ scene: SceneOptions) -> [StreamDescription.Setting] {
    let effects = scene.effects
    guard scene.scene != .waving || effects != SceneEffects() else { return [] }
    func text(_ flag: Bool) -> String { flag ? "1" : "0" }
    return [
      ("scene", scene.scene.rawValue), ("hair", effects.looseHair ? "loose" : "short"),
      ("cloth", effects.blackCloth ? "black" : (effects.looseCloth ? "loose" : "plain")),
      ("blur", "\(effects.blurMilliseconds)"), ("rolling", "\(effects.rollingMilliseconds)"),
      ("light", "\(effects.light)"), ("grain", "\(effects.grain)"), ("shift-x", "\(effects.shiftX)"),
      ("shift-y", "\(effects.shiftY)"), ("shadows", text(effects.shadows)), ("flying", "\(effects.flying)"),
      ("ragged", "\(effects.ragged)"), ("holes", "\(effects.holes)"), ("gloss", "\(effects.gloss)"),
      ("furniture", text(effects.nearFurniture)), ("empty", "\(effects.emptyInstants)"),
    ].map { StreamDescription.Setting($0, $1) }
  }
}
