/// How an MCAP file is divided into chunks.
package struct MCAPWriterOptions: Sendable {
  /// Raw values are the names in chunk and chunk index records.
  package enum Compression: String, Sendable {
    case none = ""
    case zstd
  }

  /// Size in bytes at which a chunk is written; nil for no chunks.
  package var chunkByteCountTarget: Int? = 1 << 20
  package var compression = Compression.none
  /// Schemas and channels are written to the open chunk, not before it.
  package var declaresInChunks = true

  package init() {}
}
