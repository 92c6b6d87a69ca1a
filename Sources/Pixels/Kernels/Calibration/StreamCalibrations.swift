import FrameModel
import Support

/// Settings of streams that describe lenses and places, by the streams' names. They replace those that
/// the streams have.
package struct StreamCalibrations: Hashable, Sendable {
  package typealias Settings = [StreamDescription.Setting]

  /// The depth stream's setting "1": its pixels lie over those of colour.
  package static let registeredName = "registered"
  package static let settingNames = [
    CameraIntrinsics.settingName, CameraExtrinsics.settingName, registeredName,
  ]

  /// In the order given; no stream occurs twice.
  package private(set) var streams: [(name: String, settings: Settings)] = []

  package init() {}

  package static func == (a: StreamCalibrations, b: StreamCalibrations) -> Bool {
    a.streams.elementsEqual(b.streams) { $0.name == $1.name && $0.settings == $1.settings }
  }

  package func hash(into hasher: inout Hasher) {
    for stream in streams {
      hasher.combine(stream.name)
      hasher.combine(stream.settings)
    }
  }

  /// 16 hexadecimal digits of what the streams' settings say of lenses and places.
  package static func key(_ streams: [StreamDescription]) -> String {
    let lines = streams.flatMap { stream in
      stream.settings.filter { settingNames.contains($0.name) }.map { "\(stream.name) \($0.name) \($0.value)\n" }
    }
    return String(Array(lines.joined().utf8).withRawBytes { Checksum.xxh3Hex128($0) }.prefix(16))
  }

  package mutating func set(_ settings: Settings, of name: String) {
    streams.removeAll { $0.name == name }
    streams.append((name, settings))
  }

  /// - Throws: `.notFound` for a stream that does not exist; `.corrupt` for a setting that is not valid.
  package func applied(to descriptions: [StreamDescription]) throws(RetakeError) -> [StreamDescription] {
    var descriptions = descriptions
    for (name, settings) in streams {
      guard let index = descriptions.firstIndex(where: { $0.name == name }) else {
        throw RetakeError(
          .notFound, "The calibration is for a stream '\(name.prefix(60))', which does not exist.",
          hint: "there are \(descriptions.map(\.name).joined(separator: ", "))")
      }
      // A pose stands instead of a claim that depth is registered, and the reverse.
      let places = [CameraExtrinsics.settingName, Self.registeredName]
      let replaced = settings.map(\.name) + (settings.contains { places.contains($0.name) } ? places : [])
      descriptions[index].settings.removeAll { replaced.contains($0.name) }
      descriptions[index].settings += settings
      _ = try CameraIntrinsics(descriptions[index])
      _ = try CameraExtrinsics(descriptions[index])
    }
    return descriptions
  }
}
