import FrameModel

/// Where a frame's message lies: what the index keeps of it.
package struct MessagePlace: Hashable, Sendable {
  /// Bytes from the start of the chunk file to the message's record, and the record's length.
  package var offset: Int
  package var length: Int
  package init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }
}

/// The channels of a chunk file that are not streams.
package enum ChunkTopic {
  package static let faces = "faces"
  package static let events = "events"
}

/// Writes one chunk file: a complete MCAP file with a channel for each stream, one for faces and one for events.
package struct ChunkFileWriter<Sink: ByteSink> {
  private var mcap: MCAPWriter<Sink>
  private let identity: RecordingIdentity
  private let facesChannel: UInt16
  private let eventsChannel: UInt16
  private var sequences: [UInt32]

  /// About one colour and depth pair of a Kinect: what a killed process can lose, and what a reader holds.
  private static var chunkByteCountTarget: Int { 256 << 10 }

  package init(to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], fileNumber: Int)
    throws(RetakeError)
  {
    self.identity = identity
    facesChannel = UInt16(streams.count)
    eventsChannel = UInt16(streams.count + 1)
    sequences = Array(repeating: 0, count: streams.count + 2)
    let schemas = [FrameMessage.schema, FacesMessage.schema, FrameEvent.schema].enumerated().map {
      MCAPSchema(
        id: UInt16($0.offset + 1), name: $0.element.fullName, encoding: "protobuf",
        data: $0.element.fileDescriptorSet)
    }
    var channels = streams.enumerated().map {
      MCAPChannel(
        id: UInt16($0.offset), schema: 1, topic: $0.element.name, messageEncoding: "protobuf",
        metadata: StreamChannel.metadata(of: $0.element))
    }
    channels.append(
      MCAPChannel(id: facesChannel, schema: 2, topic: ChunkTopic.faces, messageEncoding: "protobuf", metadata: []))
    channels.append(
      MCAPChannel(id: eventsChannel, schema: 3, topic: ChunkTopic.events, messageEncoding: "protobuf", metadata: []))
    mcap = try MCAPWriter(
      to: sink, schemas: schemas, channels: channels,
      metadata: [identity.metadata(fileNumber: fileNumber)],
      chunkByteCountTarget: Self.chunkByteCountTarget)
  }

  package var sink: Sink { mcap.sink }
  /// Bytes handed to the sink so far.
  package var byteCount: Int { mcap.fileOffset }

  package mutating func append(_ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int)
    throws(RetakeError) -> MessagePlace
  {
    try append(channel: UInt16(stream), at: message.timestamps.presentation) {
      message.encode(payload: payload, to: &$0)
    }
  }

  package mutating func append(_ faces: FacesMessage) throws(RetakeError) {
    _ = try append(channel: facesChannel, at: faces.presentation) { faces.encode(to: &$0) }
  }

  package mutating func append(_ event: FrameEvent) throws(RetakeError) {
    _ = try append(channel: eventsChannel, at: event.presentation) { event.encode(to: &$0) }
  }

  /// Hands everything to the sink. When that fails, the messages since the last flush are gone, `byteCount` tells which
  /// those are, and the file can still be finished.
  package mutating func flush() throws(RetakeError) { try mcap.flushChunk() }

  /// Writes the summary and the end.
  package mutating func finish() throws(RetakeError) { try mcap.finish() }

  private mutating func append(
    channel: UInt16, at presentation: PresentationTime, _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> MessagePlace {
    let sequence = sequences[Int(channel)]
    sequences[Int(channel)] &+= 1
    // MCAP's times are unsigned: what lies before 1970 is written as 1970; the message has the true time.
    let wallClock = identity.wallClockNanoseconds &+ presentation.nanoseconds
    let place = try mcap.append(
      channel: channel, sequence: sequence, time: UInt64(max(0, wallClock)), body)
    return MessagePlace(offset: place.offset, length: place.length)
  }
}
