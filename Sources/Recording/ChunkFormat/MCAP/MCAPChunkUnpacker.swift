import CZstd
import Support

package final class MCAPChunkUnpacker {
  private var decompressor: ZstdDecompressor?
  package let store = ByteStore()
  private let byteCountLimit: Int

  /// - Parameter byteCountLimit: larger chunks are rejected before memory is allocated.
  package init(byteCountLimit: Int) { self.byteCountLimit = byteCountLimit }

  /// - Returns: the records, valid until the next call, and no longer than the chunk's own bytes.
  /// - Throws: `.corrupt` if the records do not have the size that the chunk states; `.unsupported`
  ///   for a chunk above the limit or a compression other than zstd and lz4.
  package func records(of chunk: MCAPChunk) throws(RetakeError) -> UnsafeRawBufferPointer {
    guard let byteCount = Int(exactly: chunk.uncompressedByteCount), byteCount <= byteCountLimit else {
      throw RetakeError(
        .unsupported,
        "it holds \(chunk.uncompressedByteCount) bytes; the limit is \(byteCountLimit).")
    }
    switch chunk.compression {
    case "":
      guard chunk.records.count == byteCount else {
        throw RetakeError(.corrupt, "it holds \(chunk.records.count) bytes instead of \(byteCount).")
      }
      return chunk.records
    case "zstd":
      return try decompress(chunk.records, byteCount: byteCount)
    case "lz4":
      let (bytes, isWhole) = try Decompression.lz4.bytes(of: chunk.records, byteCount: byteCount, in: store)
      guard isWhole else { throw RetakeError(.corrupt, "it does not decompress to \(byteCount) bytes.") }
      return bytes
    default:
      throw RetakeError(
        .unsupported, "it is compressed with '\(chunk.compression)', which Retake does not read.",
        hint: "convert the file with 'mcap compress --compression zstd'")
    }
  }

  private func decompress(_ bytes: UnsafeRawBufferPointer, byteCount: Int) throws(RetakeError)
    -> UnsafeRawBufferPointer
  {
    if byteCount == 0 && bytes.isEmpty { return bytes }
    // zstd's headers bound the size: a tiny chunk that claims a large size allocates nothing.
    let bound = ZSTD_decompressBound(bytes.baseAddress, bytes.count)
    let claimed = ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count)
    // The two largest values mean "unknown" and "error".
    let isKnown = claimed < UInt64.max - 1
    guard bound >= UInt64(byteCount), bound < UInt64.max - 1, !isKnown || claimed <= UInt64(byteCount) else {
      throw RetakeError(.corrupt, "it does not decompress to \(byteCount) bytes.")
    }
    if decompressor == nil { decompressor = try ZstdDecompressor() }
    let output = store.bytes(byteCount)
    guard decompressor?.decompress(bytes, into: output) == true else {
      throw RetakeError(.corrupt, "it does not decompress to \(byteCount) bytes.")
    }
    return UnsafeRawBufferPointer(output)
  }
}
