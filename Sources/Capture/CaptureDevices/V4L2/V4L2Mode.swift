import FrameModel

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
  /// Deviations and assumptions to report.
  var notes: [String] = []

  /// "Vivid (vivid, platform:vivid-000) at /dev/video0: YUYV 640x480, 25 fps".
  func summary(_ capability: VideoCapability, path: String) -> String {
    let notes = notes.map { "; \($0)" }.joined()
    return "\(capability.summary) at \(path): \(format.name) \(native.size), \(rate) fps\(notes)"
  }

  func stream(
    _ capability: VideoCapability, depthUnit: Int?, stamping: VideoBufferState?, controls: [StreamDescription.Setting]
  ) -> StreamDescription {
    var settings: [StreamDescription.Setting] = [
      .init("driver", capability.driver), .init("card", capability.card), .init("bus", capability.bus),
      .init("source-format", native.code.description), .init("rate-source", rateSource),
    ]
    settings += V4L2Colorimetry(format: native, pixels: layout.format).settings
    if let stamping {
      settings.append(.init("timestamp-type", stamping.timestampType))
      settings.append(.init("timestamp-source", stamping.timestampSource))
    }
    if kind == .depth {
      if layout.format == .grey16 { settings.append(.init(StreamDescription.depthUnit, "\(depthUnit ?? 1000)")) }
      // V4L2 cannot report the unit.
      settings.append(.init("depth-unit-source", depthUnit == nil ? "assumed" : "given"))
    }
    for (number, note) in notes.enumerated() { settings.append(.init("note-\(number + 1)", note)) }
    return StreamDescription(
      name: kind.rawValue, kind: kind, layout: layout, rate: rate, clock: .microseconds,
      device: "v4l2:\(capability.driver):\(capability.card):\(capability.bus)", settings: settings + controls)
  }
}
