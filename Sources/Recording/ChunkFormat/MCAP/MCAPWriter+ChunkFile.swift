import FrameModel
import Support

// What Retake's own chunk files ask for.
extension MCAPWriter {
  /// Writes the beginning of a file whose metadata, schemas and channels lie before its chunks, and whose
  /// chunks MCAP does not compress: frames have codecs of their own, and are read in place.
  /// - Parameter chunkByteCountTarget: a chunk is written when it holds so many bytes.
  package init(
    to sink: Sink, schemas: [MCAPSchema], channels: [MCAPChannel], metadata: [MCAPMetadata],
    chunkByteCountTarget: Int
  ) throws(RetakeError) {
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = chunkByteCountTarget
    options.declaresInChunks = false
    try self.init(to: sink, header: MCAPHeader(profile: "", library: "retake"), options: options)
    for entry in metadata { try add(entry) }
    for schema in schemas { try add(schema) }
    for channel in channels { try add(channel) }
  }

  /// Adds a message that is logged and published at one time.
  mutating func append(
    channel: UInt16, sequence: UInt32, time: UInt64, _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> (offset: Int, length: Int) {
    try append(channel: channel, sequence: sequence, logTime: time, publishTime: time, body)
  }
}
