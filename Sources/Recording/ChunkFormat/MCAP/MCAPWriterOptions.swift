/// What an MCAP file is to have. Everything but messages and their channels is optional in the format.
package struct MCAPWriterOptions: Sendable {
  package enum Compression: Hashable, Sendable {
    case none
    case zstd(level: Int32)

    /// As chunks and chunk indexes spell it.
    var name: String {
      switch self {
      case .none: ""
      case .zstd: "zstd"
      }
    }
  }

  /// A chunk is written when it holds so many bytes; nil: no chunks.
  package var chunkByteCountTarget: Int? = 1 << 20
  package var compression = Compression.none
  /// Schemas and channels lie in the chunk that is open when they are declared, not before it.
  package var declaresInChunks = true

  package var writesMessageIndexes = true
  package var writesChunkIndexes = true
  package var writesAttachmentIndexes = true
  package var writesMetadataIndexes = true
  package var writesStatistics = true
  package var repeatsSchemas = true
  package var repeatsChannels = true
  package var writesSummaryOffsets = true

  /// Bytes behind the last field of each record outside of chunks that a later version of the format may
  /// lengthen: all but messages, chunks, data end and footer. For tests of readers.
  package var recordPadding: [UInt8] = []

  package init() {}
}
