import FrameModel

struct V4L2Stream {
  let description: StreamDescription
  private let capability: VideoCapability
  private let mode: V4L2Mode

  init(
    _ capability: VideoCapability, _ mode: V4L2Mode, _ options: V4L2Options, stamping: VideoBufferState?,
    controls: [StreamDescription.Setting]
  ) {
    self.capability = capability
    self.mode = mode
    var settings: [StreamDescription.Setting] = [
      .init("driver", capability.driver), .init("card", capability.card), .init("bus", capability.bus),
      .init("source-format", mode.native.code.description), .init("rate-source", mode.rateSource),
    ]
    settings += V4L2Colorimetry(mode.native, mode.layout.format).settings
    if let stamping {
      settings.append(.init("timestamp-type", stamping.timestampType))
      settings.append(.init("timestamp-source", stamping.timestampSource))
    }
    if mode.kind == .depth {
      if mode.layout.format == .grey16 {
        settings.append(.init(StreamDescription.depthUnit, "\(options.depthUnit ?? 1000)"))
      }
      // V4L2 cannot report the unit.
      settings.append(.init("depth-unit-source", options.depthUnit == nil ? "assumed" : "given"))
    }
    for (number, note) in mode.notes.enumerated() { settings.append(.init("note-\(number + 1)", note)) }
    description = StreamDescription(
      name: mode.kind.rawValue, kind: mode.kind, layout: mode.layout, rate: mode.rate, clock: .microseconds,
      device: "v4l2:\(capability.driver):\(capability.card):\(capability.bus)", settings: settings + controls)
  }

  /// "Vivid (vivid, platform:vivid-000) at /dev/video0: YUYV 640x480, 25 fps".
  func summary(path: String) -> String {
    let notes = mode.notes.map { "; \($0)" }.joined()
    return "\(capability.summary) at \(path): \(mode.format.name) \(mode.native.size), \(mode.rate) fps\(notes)"
  }
}
