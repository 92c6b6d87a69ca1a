import FrameModel

/// Stream descriptions of a redacted copy.
enum RedactedDescriptions {
  /// A stream's setting that lists the rules by which it was changed: "blur-faces".
  static let setting = "redaction"

  static func streams(
    _ streams: [StreamDescription], changed: [Bool], _ rules: RedactionRules
  ) -> [StreamDescription] {
    var devices: [String] = []
    let serials = serials(of: streams)
    return zip(streams, changed).map { stream, isChanged in
      var copy = stream
      var rules = isChanged ? rules : rules.intersection(.dropSerials)
      if rules.contains(.dropSerials) {
        if !devices.contains(stream.device) { devices.append(stream.device) }
        copy.device = anonymous(stream.device, number: devices.firstIndex(of: stream.device) ?? 0)
        copy.settings.removeAll { isPersonal($0.name) }
        copy.settings = copy.settings.map { .init($0.name, scrubbed($0.value, serials)) }
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

  /// What is left out elsewhere, and may stand in other settings too, such as a calibration.
  private static func serials(of streams: [StreamDescription]) -> [String] {
    let settings = streams.flatMap(\.settings).filter { isPersonal($0.name) }.map(\.value)
    let devices = streams.map(\.device).filter { $0.contains(":") }.map { String($0.drop { $0 != ":" }.dropFirst()) }
    return Set(settings + devices).filter { $0.utf8.count >= shortestSerial }.sorted {
      ($1.utf8.count, $0) < ($0.utf8.count, $1)
    }
  }

  /// Shorter texts are found in places where they mean something else.
  private static let shortestSerial = 6

  /// A setting's value with zeros in place of serial numbers: the known ones, and those that its own JSON names.
  private static func scrubbed(_ value: String, _ serials: [String]) -> String {
    var text = value
    for serial in serials { text = text.replacing(serial, with: String(repeating: "0", count: serial.count)) }
    return text.replacing(/("[^"]*serial[^"]*"\s*:\s*)(?:"[^"]*"|[0-9]+)/.ignoresCase()) { "\($0.output.1)\"0\"" }
  }

  private static func isPersonal(_ name: String) -> Bool {
    name.lowercased().contains("serial") || name == "bus"
  }
}
