import FrameModel
import Support

/// A stream's description as channel metadata, which suffices to rebuild the index.
package enum StreamChannel {
  private static let settingPrefix = "setting."

  package static func metadata(of stream: StreamDescription) -> [StreamDescription.Setting] {
    [
      .init("kind", stream.kind.rawValue), .init("format", stream.layout.format.rawValue),
      .init("width", "\(stream.layout.width)"), .init("height", "\(stream.layout.height)"),
      .init("rate", stream.rate.description), .init("tick_hertz", "\(stream.clock.hertz)"),
      .init("tick_bits", "\(stream.clock.bits)"), .init("device", stream.device),
    ] + stream.settings.map { .init(settingPrefix + $0.name, $0.value) }
  }

  /// - Throws: `.corrupt` or `.unsupported` for metadata that this version does not write.
  package static func stream(of channel: MCAPChannel) throws(RetakeError) -> StreamDescription {
    func entry(_ name: String) -> String { channel.metadata.first { $0.name == name }?.value ?? "" }
    guard let kind = StreamKind(rawValue: entry("kind")), let format = PixelFormat(rawValue: entry("format")),
      let width = Int(entry("width")), let height = Int(entry("height")),
      let rate = FrameRate(entry("rate")), let hertz = Int64(entry("tick_hertz")),
      let bits = Int(entry("tick_bits"))
    else {
      throw RetakeError(
        .corrupt, "Channel '\(channel.topic)' does not describe a stream that this version of Retake can read.")
    }
    return StreamDescription(
      name: channel.topic, kind: kind, layout: try FrameLayout(format, width: width, height: height),
      rate: rate, clock: try TickClock(hertz: hertz, bits: bits), device: entry("device"),
      settings: channel.metadata.compactMap {
        $0.name.hasPrefix(settingPrefix) ? .init(String($0.name.dropFirst(settingPrefix.count)), $0.value) : nil
      })
  }
}
