import FrameModel

/// Stream descriptions of a redacted copy.
enum RedactedDescriptions {
  /// A stream's setting that lists the rules by which it was changed: "blur-faces".
  static let setting = "redaction"

  static func streams(
    _ streams: [StreamDescription], changed: [Bool], _ rules: RedactionRules
  ) -> [StreamDescription] {
    var devices: [String] = []
    let places = streams.map { String($0.device.drop { $0 != ":" }.dropFirst()) }
    let scrubber = SerialScrubber(
      known: places + streams.flatMap(\.settings).filter { isPersonal($0.name) }.map(\.value))
    return zip(streams, changed).map { stream, isChanged in
      var copy = stream
      var rules = isChanged ? rules : rules.intersection(.dropSerials)
      if rules.contains(.dropSerials) {
        if !devices.contains(stream.device) { devices.append(stream.device) }
        copy.device = anonymous(stream.device, number: devices.firstIndex(of: stream.device) ?? 0)
        copy.settings.removeAll { isPersonal($0.name) }
        copy.settings = copy.settings.compactMap { setting in
          setting.name == Self.setting ? setting : scrubber.scrubbed(setting.value).map { .init(setting.name, $0) }
        }
        if copy == stream && !isChanged { rules.remove(.dropSerials) }
      }
      guard !rules.isEmpty else { return copy }
      // A copy of a copy lists the rules of both.
      let earlier = copy.settings.first { $0.name == setting }?.value.split(separator: " ").map(String.init) ?? []
      copy.settings.removeAll { $0.name == setting }
      let names = earlier + rules.names.filter { !earlier.contains($0) }
      copy.settings.append(.init(setting, names.joined(separator: " ")))
      return copy
    }
  }

  /// Streams of one device keep a common name, which shows that they belong together.
  private static func anonymous(_ device: String, number: Int) -> String {
    guard let colon = device.firstIndex(of: ":") else { return device }
    return "\(device[..<colon]):\(number + 1)"
  }

  private static func isPersonal(_ name: String) -> Bool {
    name.lowercased().contains("serial") || name == "bus" || name == "uri"
  }
}
