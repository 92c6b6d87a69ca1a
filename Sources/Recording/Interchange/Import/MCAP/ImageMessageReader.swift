import ChunkFormat
import FrameModel
import RecordingStore
import Support

/// Reads the image messages of an MCAP file in file order, skipping damage.
final class ImageMessageReader {
  struct Channel: Hashable {
    var topic: String
    var schema: String
    var messageEncoding: String
    var kind: ImageMessageKind?
    /// The stream's description, if Retake exported the file.
    var original: StreamDescription?
  }

  struct Found {
    var channel: UInt16
    var topic: String
    var kind: ImageMessageKind
    /// Valid until the next call.
    var message: MCAPMessage
    /// It is in a chunk that is cut short or does not match its CRC.
    var isSuspect: Bool
  }

  private let reader: MCAPRecordReader<FileSource>
  private var schemas: [UInt16: MCAPSchema] = [:]
  private(set) var channels: [UInt16: Channel] = [:]
  /// Messages per channel, from the statistics record.
  private(set) var countsInStatistics: [UInt16: Int] = [:]
  /// A compression that Retake cannot read.
  private(set) var foreignCompression: String?
  private(set) var position = 0
  /// What the messages so far say of lenses and the places of cameras; nil while nobody asks.
  var calibrations: CalibrationCollector?
  let byteCount: Int

  init(path: String) throws(RetakeError) {
    var source = try FileSource(path: path)
    byteCount = source.byteCount ?? 0
    let summary = try? MCAPSummary(of: &source)
    reader = MCAPRecordReader(source, MCAPReaderOptions(isLenient: true))
    // A channel may be declared in a damaged chunk, while other chunks have messages of it.
    for schema in summary?.schemas ?? [] { note(schema) }
    for channel in summary?.channels ?? [] { note(channel) }
  }

  /// The first damage in the file, and the number of further ones; nil for none.
  var damage: (first: RetakeError, moreCount: Int)? {
    guard let first = reader.damage.first?.error ?? reader.stop?.error else { return nil }
    return (first, max(0, reader.damageCount - 1))
  }

  func next() throws(RetakeError) -> Found? {
    while let item = try reader.next() {
      position = max(position, (item.offset ?? item.chunk?.offset ?? 0) + (item.chunk == nil ? item.length : 0))
      switch item.record {
      case .schema(let schema): note(schema)
      case .channel(let channel): note(channel)
      case .chunk(let chunk):
        // Any other name is damage: besides zstd, writers only use lz4.
        if chunk.compression == "lz4" { foreignCompression = chunk.compression }
      case .statistics(let statistics):
        for entry in statistics.messageCounts { countsInStatistics[entry.channel] = Int(clamping: entry.count) }
      case .message(let message):
        guard let channel = channels[message.channel] else { continue }
        guard let kind = channel.kind else {
          calibrations?.note(
            topic: channel.topic, schema: channel.schema, messageEncoding: channel.messageEncoding, message.data)
          continue
        }
        return Found(
          channel: message.channel, topic: channel.topic, kind: kind, message: message, isSuspect: item.isSuspect)
      default: continue
      }
    }
    return nil
  }

  private func note(_ schema: MCAPSchema) {
    // Only the name is needed; definitions may be long.
    schemas[schema.id] = MCAPSchema(id: schema.id, name: schema.name, encoding: schema.encoding, data: [])
  }

  private func note(_ channel: MCAPChannel) {
    let schema = schemas[channel.schema]?.name ?? ""
    channels[channel.id] = Channel(
      topic: channel.topic, schema: schema, messageEncoding: channel.messageEncoding,
      kind: ImageMessageKind(schema: schema, messageEncoding: channel.messageEncoding),
      original: try? StreamChannel.stream(of: channel))
  }
}
