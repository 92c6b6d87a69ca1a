import Support

extension MCAPWriter {
  /// Starts a chunk file: metadata, schemas and channels precede the chunks. Chunks are not
  /// compressed, since frames have their own codecs and are read in place.
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

  package mutating func append(
    channel: UInt16, sequence: UInt32, time: UInt64, _ body: (inout ByteWriter) -> Void
  ) throws(RetakeError) -> (offset: Int, length: Int) {
    try append(channel: channel, sequence: sequence, logTime: time, publishTime: time, body)
  }
}
