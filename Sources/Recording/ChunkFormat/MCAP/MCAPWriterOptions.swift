/// Optional parts of an MCAP file. The format requires only messages and their channels.
package struct MCAPWriterOptions: Sendable {
  package enum Compression: Hashable, Sendable {
    case none
    case zstd(level: Int32)

    /// The name in chunk and chunk index records.
    var name: String {
      switch self {
      case .none: ""
      case .zstd: "zstd"
      }
    }
  }

  /// Size in bytes at which a chunk is written; nil for no chunks.
  package var chunkByteCountTarget: Int? = 1 << 20
  package var compression = Compression.none
  /// Schemas and channels are written to the open chunk, not before it.
  package var declaresInChunks = true

  package var writesMessageIndexes = true
  package var writesChunkIndexes = true
  package var writesAttachmentIndexes = true
  package var writesMetadataIndexes = true
  package var writesStatistics = true
  package var repeatsSchemas = true
  package var repeatsChannels = true
  package var writesSummaryOffsets = true

  /// For tests of readers: bytes appended to records that a later version may lengthen. These are
  /// all outside chunks except messages, chunks, data end and footer.
  package var recordPadding: [UInt8] = []

  package init() {}
}
