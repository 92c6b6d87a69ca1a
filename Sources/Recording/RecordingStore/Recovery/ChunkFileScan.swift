import ChunkFormat
import FrameModel
import Support

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
    /// Frames stood here that cannot be read.
    case lost(stream: Int, count: Int)
  }

  /// What a chunk file says of itself.
  struct Header {
    var identity: RecordingIdentity
    var streams: [StreamDescription]
    var fileNumber: Int

    /// Puts right what a file says of itself, where enough of it is right to tell whose it is.
    fileprivate func correct(_ report: inout Report, _ channels: inout [UInt16: MCAPChannel]) {
      guard report.identity?.id == identity.id || report.streams == streams else { return }
      // A whole description of another place is no damage.
      if let number = report.fileNumber, number != fileNumber, report.identity == identity { return }
      if !report.belongs(to: identity, streams, number: fileNumber) {
        report.note("What the file says of itself is damaged.")
      }
      report.identity = identity
      report.streams = streams
      report.fileNumber = fileNumber
      for (id, topic) in (streams.map(\.name) + [ChunkTopic.faces, ChunkTopic.events, ChunkTopic.marks]).enumerated() {
        channels[UInt16(id)] = MCAPChannel(
          id: UInt16(id), schema: 0, topic: topic, messageEncoding: "protobuf", metadata: [])
      }
    }
  }

  /// What was found out about the file.
  struct Report {
    var identity: RecordingIdentity?
    /// The file says that a later version wrote it.
    fileprivate(set) var newerFormat: RetakeError?
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
  ///   - copying: what the file should say of itself, where it is read to be copied: damage of its description, or a single
  ///     wrong byte of a chunk, then costs nothing.
  ///   - hasAllNumbers: whether the numbers of a stream's frames follow each other.
  ///   - firstNumbers: of each stream, what its first frame's should be; empty where that is not known.
  ///   - body: called with each whole message; pointers are valid during the call.
  /// - Returns: what the file is, and what is wrong with it. Damage is reported, not thrown.
  /// - Throws: what `body` throws, but for damage that it finds, and when the file cannot be opened or read.
  static func run(
    path: String, isHeaderOnly: Bool = false, copying: Header? = nil, hasAllNumbers: Bool = true,
    firstNumbers: [Int] = [], _ body: (Entry, Report) throws(RetakeError) -> Void
  ) throws(RetakeError) -> Report {
    var report = Report()
    let source = try FileSource(path: path)
    var options = MCAPReaderOptions(isLenient: true)
    options.searchesChunks = true
    options.correctsBytes = copying != nil
    let reader = MCAPRecordReader(source, options)
    var channels: [UInt16: MCAPChannel] = [:]
    var tally = ChunkTally()
    var sequences = SequenceCheck(hasAllNumbers: hasAllNumbers, firstNumbers: firstNumbers)
    var hasBegun = false
    while let item = try reader.next() {
      switch item.record {
      case .chunk where isHeaderOnly: return report
      case .chunk:
        if !hasBegun { copying?.correct(&report, &channels) }
        hasBegun = true
        try tally.settle(&report, body)
      case .messageIndex(let index) where !item.isInSummary:
        tally.indexed[index.channel, default: 0] += index.entries.count
      case .metadata(let metadata) where metadata.name == RecordingIdentity.metadataName:
        do throws(RetakeError) {
          report.identity = try RecordingIdentity(metadata)
          report.fileNumber = metadata.entries.first { $0.name == "chunk_file" }.flatMap { Int($0.value) }
        } catch {
          if error.code == .unsupported { report.newerFormat = error }
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
        tally.met[message.channel, default: 0] += 1
        do throws(RetakeError) {
          guard let entry = try Self.entry(message, item, channels, report) else { continue }
          try sequences.check(entry, message, isSuspect: item.isSuspect, report)
          report.isEntrySuspect = item.isSuspect
          try body(entry, report)
        } catch {
          guard error.code == .corrupt || error.code == .unsupported else { throw error }
          report.note("The message at byte \(item.offset ?? 0) is damaged: \(error.message)")
          guard Int(message.channel) < report.streams.count else { continue }
          try body(.lost(stream: Int(message.channel), count: 1), report)
        }
      default: continue
      }
    }
    try tally.settle(&report, body)
    let isUntouched = source.byteCount == 0
    let endsEarly = reader.damageCount == 1 && reader.endsEarly
    report.isOnlyUnfinished = report.damage.isEmpty && (isUntouched || reader.isIntact || endsEarly)
    report.endsBetweenRecords = isUntouched || reader.stop.map { $0.offset == source.byteCount } ?? true
    for damage in reader.damage { report.note(damage.error.message) }
    withExtendedLifetime(reader) {}
    return report
  }

  /// Messages of a chunk, as they were met and as its indexes count them.
  private struct ChunkTally {
    var met: [UInt16: Int] = [:]
    var indexed: [UInt16: Int] = [:]

    /// Reports what the indexes count and was not met: it was in a part of the chunk that is lost, or in a chunk that was
    /// not found.
    mutating func settle(
      _ report: inout Report, _ body: (Entry, Report) throws(RetakeError) -> Void
    ) throws(RetakeError) {
      defer { self = ChunkTally() }
      // A wrong byte in an index alone moves messages from one channel to another.
      guard indexed.values.reduce(0, +) > met.values.reduce(0, +) else { return }
      for (channel, count) in indexed.sorted(by: { $0.key < $1.key }) where Int(channel) < report.streams.count {
        let lost = count - met[channel, default: 0]
        guard lost > 0 else { continue }
        report.note("\(lost) frames of '\(report.streams[Int(channel)].name)' are missing.")
        try body(.lost(stream: Int(channel), count: lost), report)
      }
    }
  }

  /// A frame's checksum is of its pixels. What else its message says of it stands in MCAP's own fields once more, against
  /// which a frame in a damaged chunk is held: its time, its place in its stream, and its stream's size and format.
  private struct SequenceCheck {
    let hasAllNumbers: Bool
    /// Of each stream, the frame's number less the message's sequence number: the same in a whole file.
    private var offsets: [Int: Int] = [:]

    init(hasAllNumbers: Bool, firstNumbers: [Int]) {
      self.hasAllNumbers = hasAllNumbers
      for (stream, number) in firstNumbers.enumerated() { offsets[stream] = number }
    }

    mutating func check(
      _ entry: Entry, _ message: MCAPMessage, isSuspect: Bool, _ report: Report
    ) throws(RetakeError) {
      guard case .frame(let frame, _, let stream, _) = entry else { return }
      let offset = frame.number - Int(message.sequence)
      guard isSuspect else {
        offsets[stream] = offset
        return
      }
      let wallClock = (report.identity?.wallClockNanoseconds ?? 0) &+ frame.timestamps.presentation.nanoseconds
      guard !hasAllNumbers || offsets[stream] ?? offset == offset, UInt64(max(0, wallClock)) == message.logTime,
        message.logTime == message.publishTime, frame.layout == report.streams[stream].layout.packed
      else { throw RetakeError(.corrupt, "its fields contradict each other") }
    }
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

extension ChunkFileWriter {
  /// Appends what stands in another chunk file.
  /// - Returns: where a frame now lies; nil for everything else.
  mutating func append(_ entry: ChunkFileScan.Entry) throws(RetakeError) -> MessagePlace? {
    switch entry {
    case .frame(let message, let payload, let stream, _): return try append(message, payload: payload, stream: stream)
    case .faces(let faces): try append(faces)
    case .event(let event): try append(event)
    case .mark(let mark): try append(mark)
    case .lost: break
    }
    return nil
  }
}
