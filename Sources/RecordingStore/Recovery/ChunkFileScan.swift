import ChunkFormat
import FrameModel

/// Goes through one chunk file from front to back, without an index, and hands on what is in it.
struct ChunkFileScan {
  /// MCAP's channel ids are 16 bits.
  private static let streamLimit = 65_000

  /// What stands in the chunk file, in its order.
  enum Entry {
    case frame(FrameMessage, payload: UnsafeRawBufferPointer, stream: Int, place: MessagePlace)
    case faces(FacesMessage)
    case event(FrameEvent)
    case mark(Mark)
  }

  /// What was found out about the file.
  struct Report {
    var identity: RecordingIdentity?
    var fileNumber: Int?
    var streams: [StreamDescription] = []
    /// Sentences about what is wrong, in the order found.
    private(set) var damage: [String] = []
    /// A hostile file must not fill memory with complaints about itself.
    private static let damageLimit = 200
    /// Nothing is wrong with the file, unless that it ends early.
    var isOnlyUnfinished = false
    /// No record was cut.
    var endsBetweenRecords = false
    /// What is handed on now lies in a chunk that is not whole: a frame's own checksum decides.
    var isEntrySuspect = false

    /// Whether the file is one of a recording's, in its place.
    func belongs(to identity: RecordingIdentity, _ streams: [StreamDescription], number: Int) -> Bool {
      self.identity == identity && fileNumber == number && self.streams == streams
    }

    /// What is said of a file that is not.
    static func strayDamage(_ path: String) -> String {
      "\(path) does not belong to this recording, or not in this place; its frames are left out."
    }

    fileprivate mutating func note(_ sentence: String) {
      if damage.count < Self.damageLimit { damage.append(sentence) }
    }
  }

  /// - Parameters:
  ///   - isHeaderOnly: stops where the first chunk begins.
  ///   - body: called with each whole message; pointers are valid during the call.
  /// - Returns: what the file is, and what is wrong with it. Damage is reported, not thrown.
  /// - Throws: what `body` throws, and when the file cannot be opened.
  static func run(
    path: String, isHeaderOnly: Bool = false, _ body: (Entry, Report) throws(RetakeError) -> Void
  ) throws(RetakeError) -> Report {
    var report = Report()
    let source = try FileSource(path: path)
    let reader = MCAPRecordReader(source, MCAPReaderOptions(isLenient: true))
    var channels: [UInt16: MCAPChannel] = [:]
    while let item = try reader.next() {
      switch item.record {
      case .chunk where isHeaderOnly: return report
      case .metadata(let metadata) where metadata.name == RecordingIdentity.metadataName:
        do throws(RetakeError) {
          report.identity = try RecordingIdentity(metadata)
          report.fileNumber = metadata.entries.first { $0.name == "chunk_file" }.flatMap { Int($0.value) }
        } catch {
          report.note(error.message)
        }
      case .channel(let channel) where !item.isInSummary && channels[channel.id] == nil:
        channels[channel.id] = channel
        guard !ChunkTopic.all.contains(channel.topic) else { continue }
        guard Int(channel.id) == report.streams.count, report.streams.count < Self.streamLimit,
          !report.streams.contains(where: { $0.name == channel.topic })
        else {
          report.note("Channel '\(channel.topic)' is out of order.")
          continue
        }
        do throws(RetakeError) {
          report.streams.append(try StreamChannel.stream(of: channel))
        } catch {
          report.note(error.message)
        }
      case .message(let message):
        do throws(RetakeError) {
          guard let entry = try Self.entry(message, item, channels, report) else { continue }
          report.isEntrySuspect = item.isSuspect
          try body(entry, report)
        } catch {
          guard error.code == .corrupt || error.code == .unsupported else { throw error }
          report.note("The message at byte \(item.offset ?? 0) is damaged: \(error.message)")
        }
      default: continue
      }
    }
    let isUntouched = source.byteCount == 0
    let endsEarly = reader.damageCount == 1 && reader.endsEarly
    report.isOnlyUnfinished = report.damage.isEmpty && (isUntouched || reader.isIntact || endsEarly)
    report.endsBetweenRecords = isUntouched || reader.stop.map { $0.offset == source.byteCount } ?? true
    for damage in reader.damage { report.note(damage.error.message) }
    withExtendedLifetime(reader) {}
    return report
  }

  private static func entry(
    _ message: MCAPMessage, _ item: MCAPItem, _ channels: [UInt16: MCAPChannel], _ report: Report
  ) throws(RetakeError) -> Entry? {
    guard let channel = channels[message.channel] else {
      throw RetakeError(.corrupt, "It names a channel that the file does not have.")
    }
    switch channel.topic {
    case ChunkTopic.faces: return .faces(try FacesMessage.decode(message.data))
    case ChunkTopic.events: return .event(try FrameEvent.decode(message.data))
    case ChunkTopic.marks: return .mark(try Mark.decode(message.data))
    default:
      guard Int(message.channel) < report.streams.count, let offset = item.offset else { return nil }
      let (frame, payload) = try FrameMessage.decode(message.data)
      return .frame(
        frame, payload: payload, stream: Int(message.channel),
        place: MessagePlace(offset: offset, length: item.length))
    }
  }
}
