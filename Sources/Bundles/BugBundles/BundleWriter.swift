import ChunkFormat
import Support

/// Writes a bundle. Equal parts give equal bytes, since nothing in a bundle says when it was made.
package final class BundleWriter<Sink: ByteSink> {
  private var writer: MCAPWriter<Sink>

  package init(to sink: Sink) throws(RetakeError) {
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = nil
    writer = try MCAPWriter(
      to: sink, header: MCAPHeader(profile: BundleFormat.profile, library: "retake"), options: options)
    try writer.add(BundleFormat.metadata)
  }

  /// The description comes first, and each part once; readers reject other files.
  /// - Throws: `.unsupported` for a part that is too large.
  package func add(_ part: BundlePart, _ bytes: [UInt8]) throws(RetakeError) {
    guard bytes.count <= part.byteCountLimit else {
      throw RetakeError(
        .unsupported,
        "\(part.name) would have \(bytes.count) bytes in the bundle; the limit is \(part.byteCountLimit).",
        hint: part == .background ? "use a shorter or smaller background" : "make a bundle of a shorter part")
    }
    try bytes.withRawBytes { bytes throws(RetakeError) in
      try writer.add(
        MCAPAttachment(logTime: 0, createTime: 0, name: part.name, mediaType: part.mediaType, data: bytes))
    }
  }

  /// - Returns: the bundle's size in bytes.
  package func finish() throws(RetakeError) -> Int {
    try writer.finish()
    return writer.fileOffset
  }
}
