import ChunkFormat
import FrameModel
import Support

/// Reads one chunk file from front to back, without an index, and passes on its content.
package struct ChunkFileScan {
  /// MCAP channel ids have 16 bits.
  private static let streamLimit = 65_000

  package enum Entry {
    case frame(FrameMessage, payload: UnsafeRawBufferPointer, stream: Int, place: MessagePlace)
    case faces(FacesMessage)
    case event(FrameEvent)
    case mark(Mark)
    /// Frames at this place that cannot be read.
    case lost(stream: Int, count: Int)

    fileprivate var presentation: PresentationTime? {
      switch self {
      case .frame(let message, _, _, _): message.timestamps.presentation
      case .faces(let faces): faces.presentation
      case .event(let event): event.presentation
      case .mark(let mark): mark.presentation
      case .lost: nil
      }
    }
  }

  /// A chunk file's description of itself.
  package struct Header {
    var identity: RecordingIdentity
    var streams: [StreamDescription]
    var fileNumber: Int

    /// Corrects a file's damaged description. Where too little of it is intact to identify the recording, each
    /// message's time has to.
    fileprivate func correct(_ report: inout Report, _ channels: inout [UInt16: MCAPChannel]) {
      guard report.newerFormat == nil else { return }
      report.isKnownByTimes = report.identity?.id != identity.id && report.streams != streams
      if report.isKnownByTimes && report.identity != nil { return }
      // An intact description with another file number is a misplaced file, not damage.
      if let number = report.fileNumber, number != fileNumber, report.identity == identity { return }
      if !report.belongs(to: self) {
        report.note("The file's description of itself is damaged.")
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

  package struct Report {
    var identity: RecordingIdentity?
    /// Set when the file states that a later version wrote it.
    fileprivate(set) var newerFormat: RetakeError?
    var fileNumber: Int?
    var streams: [StreamDescription] = []
    package private(set) var damage: [String] = []
    /// Limits the memory that a hostile file can fill with damage reports.
    private static let damageLimit = 200
    /// Whether the file is intact, except that its end may be missing.
    package var isOnlyUnfinished = false
    /// Whether the file has all messages that its summary counts, and nothing behind its first chunk is damaged.
    package var hasAllMessages = false
    /// Whether no record is cut off.
    var endsBetweenRecords = false
    /// Whether the current entry is in a damaged chunk; the frame's own checksum then decides.
    var isEntrySuspect = false
    /// Whether nothing but the times of its messages says that the file is of this recording.
    fileprivate var isKnownByTimes = false

    /// Whether the file belongs to a recording, with its file number.
    func belongs(to recording: Header) -> Bool {
      identity == recording.identity && fileNumber == recording.fileNumber && streams == recording.streams
    }

    fileprivate mutating func note(_ sentence: String) {
      if damage.count < Self.damageLimit { damage.append(sentence) }
    }
  }

  /// - Parameters:
  ///   - copying: the expected description, when the file is copied. A damaged description, or a
  ///     single wrong byte in a chunk, is then corrected.
  ///   - correctsBytes: whether a single wrong byte is corrected when the file is copied.
  ///   - hasAllNumbers: whether each stream's frame numbers are consecutive.
  ///   - firstNumbers: the expected first frame number of each stream; empty when unknown.
  ///   - body: called with each intact message; pointers are valid during the call. Its `.corrupt`
  ///     and `.unsupported` errors count as damage of the message.
  /// - Throws: errors of opening and reading the file, and other errors of `body`. Damage is
  ///   reported.
  package static func run(
    path: String, isHeaderOnly: Bool = false, copying: Header? = nil, correctsBytes: Bool = true,
    hasAllNumbers: Bool = true,
    firstNumbers: [Int] = [], _ body: (Entry, Report) throws(RetakeError) -> Void
  ) throws(RetakeError) -> Report {
    var report = Report()
    let source = try FileSource(path: path)
    var options = MCAPReaderOptions(isLenient: true)
    options.searchesChunks = true
    options.correctsBytes = copying != nil && correctsBytes
    let reader = MCAPRecordReader(source, options)
    var channels: [UInt16: MCAPChannel] = [:]
    var tally = ChunkTally()
    var sequences = SequenceCheck(hasAllNumbers: hasAllNumbers, firstNumbers: firstNumbers)
    var firstChunk: Int?
    var messageCount: UInt64 = 0
    var (statedCount, dataEnd): (UInt64?, Int?) = (nil, nil)
    while let item = try reader.next() {
      switch item.record {
      case .chunk where isHeaderOnly: return report
      case .chunk:
        if firstChunk == nil { copying?.correct(&report, &channels) }
        firstChunk = firstChunk ?? item.offset
        try tally.settle(&report, body)
      case .dataEnd: dataEnd = item.offset
      case .statistics(let statistics): statedCount = statistics.messageCount
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
          if report.isKnownByTimes { try SequenceCheck.checkTime(of: entry, message, report) }
          report.isEntrySuspect = item.isSuspect
          try body(entry, report)
          messageCount += 1
        } catch {
          guard error.code == .corrupt || error.code == .unsupported else { throw error }
          report.note("The message at byte \(item.offset ?? 0) is damaged: \(error.message)")
          // What may be another recording's is no loss of this one.
          guard Int(message.channel) < report.streams.count, !report.isKnownByTimes else { continue }
          try body(.lost(stream: Int(message.channel), count: 1), report)
        }
      default: continue
      }
    }
    try tally.settle(&report, body)
    let isUntouched = source.byteCount == 0
    let endsEarly = reader.damageCount == 1 && reader.endsEarly
    report.isOnlyUnfinished = report.damage.isEmpty && (isUntouched || reader.isIntact || endsEarly)
    // The checksum before the end of data covers the file's beginning too.
    report.hasAllMessages =
      statedCount == messageCount && reader.damageCount == reader.damage.count
      && reader.damage.allSatisfy { $0.offset < firstChunk ?? 0 || $0.offset == dataEnd }
    report.endsBetweenRecords = isUntouched || reader.stop.map { $0.offset == source.byteCount } ?? true
    for damage in reader.damage { report.note(damage.error.message) }
    withExtendedLifetime(reader) {}
    return report
  }

  /// Reads a file's description of itself alone.
  static func header(_ path: String) throws(RetakeError) -> Report {
    try run(path: path, isHeaderOnly: true) { _, _ in }
  }

  /// Whether a file whose description of itself is damaged has frames of a recording.
  static func hasFrames(_ path: String, of recording: Header) throws(RetakeError) -> Bool {
    var hasFrames = false
    _ = try run(path: path, copying: recording) { entry, report in
      guard case .frame = entry, report.belongs(to: recording) else { return }
      hasFrames = true
    }
    return hasFrames
  }

  /// Messages of one chunk by channel: as read, and as its message indexes state.
  private struct ChunkTally {
    var met: [UInt16: Int] = [:]
    var indexed: [UInt16: Int] = [:]

    /// Reports messages that were not read, from a damaged part of the chunk or a missing chunk.
    mutating func settle(
      _ report: inout Report, _ body: (Entry, Report) throws(RetakeError) -> Void
    ) throws(RetakeError) {
      defer { self = ChunkTally() }
      // A wrong byte in an index moves messages to another channel, but keeps the total.
      guard indexed.values.reduce(0, +) > met.values.reduce(0, +) else { return }
      for (channel, count) in indexed.sorted(by: { $0.key < $1.key }) where Int(channel) < report.streams.count {
        let lost = count - met[channel, default: 0]
        guard lost > 0 else { continue }
        report.note("\(lost) frames of '\(report.streams[Int(channel)].name)' are missing.")
        try body(.lost(stream: Int(channel), count: lost), report)
      }
    }
  }

  /// Checks a frame in a damaged chunk against MCAP's own fields, since its checksum covers only
  /// its pixels: time, position in its stream, size and format.
  private struct SequenceCheck {
    let hasAllNumbers: Bool
    /// For each stream, frame number minus message sequence number: constant in an intact file.
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
      try Self.checkTime(of: entry, message, report)
      guard !hasAllNumbers || offsets[stream] ?? offset == offset, frame.layout == report.streams[stream].layout.packed
      else { throw Self.contradiction }
    }

    /// A recording has its own start, in nanoseconds: a message of another does not pass.
    static func checkTime(of entry: Entry, _ message: MCAPMessage, _ report: Report) throws(RetakeError) {
      guard let presentation = entry.presentation else { return }
      let wallClock = (report.identity?.wallClockNanoseconds ?? 0) &+ presentation.nanoseconds
      guard UInt64(max(0, wallClock)) == message.logTime, message.logTime == message.publishTime else {
        throw contradiction
      }
    }

    private static var contradiction: RetakeError { RetakeError(.corrupt, "its fields contradict each other") }
  }

  private static func entry(
    _ message: MCAPMessage, _ item: MCAPItem, _ channels: [UInt16: MCAPChannel], _ report: Report
  ) throws(RetakeError) -> Entry? {
    guard let channel = channels[message.channel] else {
      throw RetakeError(.corrupt, "it refers to a channel that the file does not have.")
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

extension Recording {
  /// What one of its chunk files has to say of itself.
  func chunkFile(_ number: Int) -> ChunkFileScan.Header {
    ChunkFileScan.Header(identity: identity, streams: recordedStreams, fileNumber: number)
  }
}

extension ChunkFileWriter {
  /// Appends an entry of another chunk file.
  /// - Returns: the place of a frame in this file; nil for other entries.
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
