import Support

package struct MCAPItem {
  package var record: MCAPRecord
  package var opcode: UInt8
  /// Bytes from the start of the file to the record's opcode; nil inside a compressed chunk.
  package var offset: Int?
  /// Bytes of the record, with opcode and length.
  package var length: Int
  package var chunk: ChunkPlace?
  /// The record follows the data section, where records are repeated and indexed.
  package var isInSummary: Bool
  /// A whole record that may be wrong: its chunk is cut short or fails its CRC, or it is an
  /// attachment that fails its own. From lenient readers only; a frame's own checksum decides.
  package var isSuspect: Bool

  package struct ChunkPlace: Hashable, Sendable {
    /// Bytes from the start of the file to the chunk record.
    package var offset: Int
    /// Bytes from the start of the chunk's uncompressed records.
    package var offsetInRecords: Int
  }
}

/// An error in a file, with its offset from the start of the file.
package struct MCAPDamage: Sendable {
  package var offset: Int
  package var error: RetakeError
}

package struct MCAPReaderOptions: Sendable {
  /// Records damage instead of throwing, and yields every whole record that can still be found.
  /// Errors of the source are still thrown.
  package var isLenient = false
  /// Yields the records inside chunks, after their chunk.
  package var opensChunks = true
  package var checksCRCs = true
  /// A lenient reader that cannot find the next record continues at the next chunk.
  package var searchesChunks = false
  /// A lenient reader repairs one wrong byte of an uncompressed chunk, located by the chunk's CRC.
  /// The records are marked suspect and differ from the file's bytes.
  package var correctsBytes = false
  package var recordByteCountLimit = MCAP.largestRecordByteCount

  package init(isLenient: Bool = false) { self.isLenient = isLenient }
}
