import ChunkFormat
import RecordingStore
import Support

/// The messages of an MCAP file.
final class MCAPContainer: MessageContainer {
  private let reader: MCAPRecordReader<FileSource>
  private var schemas: [UInt16: MCAPSchema] = [:]
  private(set) var channels: [Int: MessageChannel] = [:]
  private(set) var statedCounts: [Int: Int] = [:]
  private(set) var notes = ExportedNotes()
  private(set) var position = 0
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

  var damage: (first: RetakeError, moreCount: Int)? {
    guard let first = reader.damage.first?.error ?? reader.stop?.error else { return nil }
    return (first, max(0, reader.damageCount - 1))
  }

  func next() throws(RetakeError) -> ContainedMessage? {
    while let item = try reader.next() {
      position = max(position, (item.offset ?? item.chunk?.offset ?? 0) + (item.chunk == nil ? item.length : 0))
      switch item.record {
      case .schema(let schema): note(schema)
      case .channel(let channel): note(channel)
      case .metadata(let metadata): notes.note(metadata)
      case .statistics(let statistics):
        for entry in statistics.messageCounts { statedCounts[Int(entry.channel)] = Int(clamping: entry.count) }
      case .message(let message):
        return ContainedMessage(
          channel: Int(message.channel), logTime: message.logTime, data: message.data, isSuspect: item.isSuspect)
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
    channels[Int(channel.id)] = MessageChannel(
      topic: channel.topic, schema: schemas[channel.schema]?.name ?? "", messageEncoding: channel.messageEncoding,
      original: try? StreamChannel.stream(of: channel))
  }
}
