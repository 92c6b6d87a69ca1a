import FrameModel
import Support

/// Offset and length in bytes of a message record in its chunk file, as the index stores them.
package struct MessagePlace: Hashable, Sendable {
  package var offset: Int
  package var length: Int
  package init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }
}

/// Topics of the channels that are not camera streams.
package enum ChunkTopic {
  package static let faces = "faces"
  package static let events = "events"
  package static let marks = "marks"
  package static let all: Set = [faces, events, marks]
}

/// Writes one chunk file: an MCAP file with channels for the streams, faces, events and marks, which are
/// declared before the chunks. Chunks are not compressed, since frames have their own codecs and are
/// read in place.
package struct ChunkFileWriter<Sink: ByteSink> {
  private var mcap: MCAPWriter<Sink>
  private let identity: RecordingIdentity
  private let facesChannel: UInt16
  private let eventsChannel: UInt16
  private let marksChannel: UInt16
  private var sequences: [UInt32]
  /// Time of the first message since the last flush.
  private var chunkStart: PresentationTime?

  /// About the encoded size of one Kinect colour and depth pair. A reader holds one chunk.
  package static var chunkByteCountTarget: Int { 256 << 10 }
  /// Longest presentation time held in memory. A killed process can lose this much.
  package static var chunkNanosecondsTarget: Int64 { 100_000_000 }

  package init(to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], fileNumber: Int)
    throws(RetakeError)
  {
    self.identity = identity
    facesChannel = UInt16(streams.count)
    eventsChannel = UInt16(streams.count + 1)
    marksChannel = UInt16(streams.count + 2)
    sequences = Array(repeating: 0, count: streams.count + ChunkTopic.all.count)
    let schemas = [
      MCAPSchema(id: 1, retake: [FrameFields.self]),
      MCAPSchema(id: 2, retake: [FaceObservation.self, FacesMessage.self]),
      MCAPSchema(id: 3, retake: [EventFields.self]),
      MCAPSchema(id: 4, retake: [MarkFields.self]),
    ]
    var channels = streams.enumerated().map {
      MCAPChannel(
        id: UInt16($0.offset), schema: 1, topic: $0.element.name, messageEncoding: "protobuf",
        metadata: StreamChannel.metadata(of: $0.element))
    }
    let others = [
      (facesChannel, ChunkTopic.faces), (eventsChannel, ChunkTopic.events), (marksChannel, ChunkTopic.marks),
    ]
    for (position, other) in others.enumerated() {
      channels.append(
        MCAPChannel(
          id: other.0, schema: UInt16(position + 2), topic: other.1, messageEncoding: "protobuf", metadata: []))
    }
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = Self.chunkByteCountTarget
    options.declaresInChunks = false
    mcap = try MCAPWriter(to: sink, header: MCAPHeader(profile: "", library: "retake"), options: options)
    try mcap.add(identity.metadata(fileNumber: fileNumber))
    for schema in schemas { try mcap.add(schema) }
    for channel in channels { try mcap.add(channel) }
  }

  package var sink: Sink { mcap.sink }
  /// Bytes handed to the sink so far.
  package var byteCount: Int { mcap.fileOffset }
  /// `byteCount` plus the bytes still in memory.
  package var expectedByteCount: Int { mcap.fileOffset + mcap.chunk.count }

  package mutating func append(_ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int)
    throws(RetakeError) -> MessagePlace
  {
    try append(channel: UInt16(stream), at: message.timestamps.presentation) {
      message.encode(payload: payload, to: &$0)
    }
  }

  @discardableResult
  package mutating func append(_ faces: FacesMessage) throws(RetakeError) -> MessagePlace {
    try append(channel: facesChannel, at: faces.presentation) { faces.encode(to: &$0) }
  }

  package mutating func append(_ event: FrameEvent) throws(RetakeError) {
    _ = try append(channel: eventsChannel, at: event.presentation) { event.encode(to: &$0) }
  }

  @discardableResult
  package mutating func append(_ mark: Mark) throws(RetakeError) -> MessagePlace {
    try append(channel: marksChannel, at: mark.presentation) { mark.encode(to: &$0) }
  }

  /// Writes the buffered messages to the sink. If that fails, they are lost: only messages that end
  /// at or before `byteCount` are in the file. The file can still be finished.
  package mutating func flush() throws(RetakeError) {
    chunkStart = nil
    try mcap.flushChunk()
  }

  package mutating func finish() throws(RetakeError) { try mcap.finish() }

  private mutating func append(
    channel: UInt16, at presentation: PresentationTime, _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> MessagePlace {
    let sequence = sequences[Int(channel)]
    sequences[Int(channel)] &+= 1
    // MCAP times are unsigned: times before 1970 are written as 0. The message has the true time.
    let wallClock = identity.wallClockNanoseconds &+ presentation.nanoseconds
    let time = UInt64(max(0, wallClock))
    let place = try mcap.append(channel: channel, sequence: sequence, logTime: time, publishTime: time, body)
    if !mcap.hasOpenChunk {
      chunkStart = nil
    } else if presentation.nanoseconds - (chunkStart ?? presentation).nanoseconds >= Self.chunkNanosecondsTarget {
      try flush()
    } else {
      chunkStart = chunkStart ?? presentation
    }
    return MessagePlace(offset: place.offset, length: place.length)
  }
}
