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
    /// Of RealSense's SDK; nil for other senders.
    var metadata: RealSenseMetadata?
    var isSuspect: Bool { message.isSuspect }

    /// Calls `body` with the picture, whose data is valid during the call.
    /// - Throws: `.corrupt` for a message that does not match its schema.
    func read<Result>(_ body: (ImageMessage) throws(RetakeError) -> Result) throws(RetakeError) -> Result {
      try kind.read(message.data) { image throws(RetakeError) -> Result in
        var image = image
        if let metadata { image.stampNanoseconds = metadata.nanoseconds }
        return try body(image)
      }
    }
  }

  private let container: any MessageContainer
  private let unpacker = MessageUnpacker()
  private let metadataUnpacker = MessageUnpacker()
  private var known: [Int: (channel: Channel, source: MessageChannel)] = [:]
  private(set) var depthUnits = RealSenseDepthUnits()
  /// What the messages so far say of lenses and the places of cameras; nil while nobody asks.
  var calibrations: CalibrationCollector?
  /// The faces in the messages so far; nil while nobody asks.
  var faces: ImportedFaces?

  init(_ source: MessageSource) throws(RetakeError) { container = try source.open() }

  var channels: [Int: Channel] { container.channels.mapValues { Channel($0) } }
  /// Messages per channel, from the file's statistics.
  var countsInStatistics: [Int: Int] { container.statedCounts }
  var position: Int { container.position }
  var byteCount: Int { container.byteCount }
  var remarks: [String] { container.remarks }
  var notes: ExportedNotes { container.notes }

  /// The first damage in the file, and the number of further ones; nil for none.
  var damage: (first: RetakeError, moreCount: Int)? { container.damage }

  func next() throws(RetakeError) -> Found? {
    while var message = try container.next() {
      guard let channel = channel(message.channel) else { continue }
      if channel.messageEncoding == "cdr" { message.data = try unpacker.unpacked(message.data) }
      guard let kind = channel.kind else {
        depthUnits.note(message.data, channel)
        faces?.note(channel, message)
        calibrations?.note(
          topic: channel.topic, schema: channel.schema, messageEncoding: channel.messageEncoding, message.data)
        continue
      }
      let metadata = try message.metadata.map { bytes throws(RetakeError) in
        RealSenseMetadata(try metadataUnpacker.unpacked(bytes))
      }
      return Found(channel: message.channel, topic: channel.topic, kind: kind, message: message, metadata: metadata)
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
