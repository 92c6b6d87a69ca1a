import FrameModel
import Support

/// A record and where it was found.
package struct MCAPItem {
  package var record: MCAPRecord
  package var opcode: UInt8
  /// Bytes from the start of the file to the record's opcode; nil inside a compressed chunk.
  package var offset: Int?
  /// Bytes of the record, opcode and length included.
  package var length: Int
  /// For a record inside a chunk.
  package var chunk: ChunkPlace?
  /// Behind the end of the data section, where records are repeated and indexed.
  package var isInSummary: Bool
  /// The record is whole, but lies in a chunk that is cut short or does not match its CRC, or is an
  /// attachment that does not match its own. Only a lenient reader yields such records; a frame's own
  /// checksum decides.
  package var isSuspect: Bool

  package struct ChunkPlace: Hashable, Sendable {
    /// Bytes from the start of the file to the chunk's record.
    package var offset: Int
    /// Bytes from the start of the chunk's uncompressed records to the record.
    package var offsetInRecords: Int
  }
}

/// A place where a file is not what it should be.
package struct MCAPDamage: Sendable {
  /// Bytes from the start of the file.
  package var offset: Int
  package var error: RetakeError
}

package struct MCAPReaderOptions: Sendable {
  /// Never throws: notes what is wrong and yields every whole record that can still be found.
  package var isLenient = false
  /// Yields the records in chunks, each after its chunk.
  package var opensChunks = true
  package var checksCRCs = true
  /// Where the next record cannot be found, a lenient reader goes on at the next chunk that can.
  package var searchesChunks = false
  /// A lenient reader repairs one wrong byte of a chunk, located by the chunk's CRC. Records of a repaired chunk are marked
  /// suspect and differ from the file's bytes.
  package var correctsBytes = false
  package var recordByteCountLimit = MCAP.largestRecordByteCount

  package init(isLenient: Bool = false) { self.isLenient = isLenient }
}
