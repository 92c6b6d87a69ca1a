import FrameModel

/// Where the times and numbers of frames come from.
enum FrameStamping {
  /// The driver, as the flags of its buffers say.
  case driver(VideoBufferState)
  /// The camera, in its metadata: microseconds of a clock that wraps after 71.6 minutes.
  case metadata

  var clock: TickClock {
    if case .metadata = self, let clock = try? TickClock(hertz: 1_000_000, bits: 32) { return clock }
    return .microseconds
  }

  var settings: [StreamDescription.Setting] {
    let (type, source) =
      switch self {
      case .driver(let state): (state.timestampType, state.timestampSource)
      case .metadata: ("device", "metadata-d4xx")
      }
    return [.init("timestamp-type", type), .init("timestamp-source", source)]
  }
}

/// A mode as the driver set it.
struct V4L2Mode {
  var format: CameraFormat
  var kind: StreamKind
  var native: VideoFormat
  var layout: FrameLayout
  var sourceBytesPerRow: Int
  var rate: FrameRate
  /// Origin of the rate: "driver", "signal" or "assumed".
  var rateSource: String
  /// Micrometres per count of depth, and where it comes from: "given", "model" or "assumed".
  var depthUnit = 1000
  var depthUnitSource = "assumed"
  /// Deviations and assumptions to report.
  var notes: [String] = []

  /// "Vivid (vivid, platform:vivid-000) at /dev/video0: YUYV 640x480, 25 fps".
  func summary(_ capability: VideoCapability, path: String) -> String {
    let notes = notes.map { "; \($0)" }.joined()
    return "\(capability.summary) at \(path): \(format.name) \(native.size), \(rate) fps\(notes)"
  }

  func stream(
    _ capability: VideoCapability, stamping: FrameStamping?, controls: [StreamDescription.Setting]
  ) -> StreamDescription {
    var settings: [StreamDescription.Setting] = [
      .init("driver", capability.driver), .init("card", capability.card), .init("bus", capability.bus),
      .init("source-format", native.code.description), .init("rate-source", rateSource),
    ]
    settings += V4L2Colorimetry(format: native, pixels: layout.format).settings
    settings += stamping?.settings ?? []
    if kind == .depth {
      if layout.format == .grey16 { settings.append(.init(StreamDescription.depthUnit, "\(depthUnit)")) }
      // V4L2 cannot report the unit.
      settings.append(.init("depth-unit-source", depthUnitSource))
    }
    for (number, note) in notes.enumerated() { settings.append(.init("note-\(number + 1)", note)) }
    return StreamDescription(
      name: kind.rawValue, kind: kind, layout: layout, rate: rate, clock: stamping?.clock ?? .microseconds,
      device: "v4l2:\(capability.driver):\(capability.card):\(capability.bus)", settings: settings + controls)
  }
}
