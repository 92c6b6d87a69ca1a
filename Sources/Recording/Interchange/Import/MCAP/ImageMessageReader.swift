import ChunkFormat
import FrameModel
import Support

/// Reads the image messages of a recording, in its order.
final class ImageMessageReader {
  struct Channel: Hashable {
    var topic: String
    var schema: String
    var messageEncoding: String
    var kind: ImageMessageKind?
    /// The stream's description, if Retake exported the file.
    var original: StreamDescription?

    init(_ channel: MessageChannel) {
      (topic, schema, messageEncoding) = (channel.topic, channel.schema, channel.messageEncoding)
      kind = ImageMessageKind(schema: channel.schema, messageEncoding: channel.messageEncoding)
      original = channel.original
    }
  }

  struct Found {
    var channel: Int
    var topic: String
    var kind: ImageMessageKind
    /// Valid until the next call.
    var message: ContainedMessage
    var isSuspect: Bool { message.isSuspect }
  }

  private let container: any MessageContainer
  private let unpacker = MessageUnpacker()
  private var known: [Int: (channel: Channel, source: MessageChannel)] = [:]
  private(set) var depthUnits = RealSenseDepthUnits()
  /// What the messages so far say of lenses and the places of cameras; nil while nobody asks.
  var calibrations: CalibrationCollector?

  init(_ source: MessageSource) throws(RetakeError) { container = try source.open() }

  var channels: [Int: Channel] { container.channels.mapValues { Channel($0) } }
  /// Messages per channel, from the file's statistics.
  var countsInStatistics: [Int: Int] { container.statedCounts }
  var position: Int { container.position }
  var byteCount: Int { container.byteCount }
  var remarks: [String] { container.remarks }

  /// The first damage in the file, and the number of further ones; nil for none.
  var damage: (first: RetakeError, moreCount: Int)? { container.damage }

  func next() throws(RetakeError) -> Found? {
    while var message = try container.next() {
      guard let channel = channel(message.channel) else { continue }
      if channel.messageEncoding == "cdr" { message.data = try unpacker.unpacked(message.data) }
      guard let kind = channel.kind else {
        depthUnits.note(message.data, channel)
        calibrations?.note(
          topic: channel.topic, schema: channel.schema, messageEncoding: channel.messageEncoding, message.data)
        continue
      }
      return Found(channel: message.channel, topic: channel.topic, kind: kind, message: message)
    }
    return nil
  }

  private func channel(_ id: Int) -> Channel? {
    guard let source = container.channel(id) else { return nil }
    if let entry = known[id], entry.source == source { return entry.channel }
    let channel = Channel(source)
    known[id] = (channel, source)
    return channel
  }
}
