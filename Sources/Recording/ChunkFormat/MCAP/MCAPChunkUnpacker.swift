import CZstd
import FrameModel
import Support

/// Brings a chunk's records back, whatever compressed them.
final class MCAPChunkUnpacker {
  private var context: OpaquePointer?
  let store = ByteStore()
  private let byteCountLimit: Int

  /// - Parameter byteCountLimit: chunks that claim more are refused, before memory is taken.
  init(byteCountLimit: Int) { self.byteCountLimit = byteCountLimit }

  deinit { ZSTD_freeDCtx(context) }

  /// - Returns: the records, valid until the next call and while the chunk's own bytes are.
  /// - Throws: `.corrupt` when they are not as many as the chunk says, `.unsupported` for other compressions.
  func records(of chunk: MCAPChunk) throws(RetakeError) -> UnsafeRawBufferPointer {
    guard let byteCount = Int(exactly: chunk.uncompressedByteCount), byteCount <= byteCountLimit else {
      throw RetakeError(
        .unsupported,
        "it holds \(chunk.uncompressedByteCount) bytes, where \(byteCountLimit) are accepted.")
    }
    switch chunk.compression {
    case "":
      guard chunk.records.count == byteCount else {
        throw RetakeError(.corrupt, "it holds \(chunk.records.count) bytes instead of \(byteCount).")
      }
      return chunk.records
    case "zstd":
      return try decompress(chunk.records, byteCount: byteCount)
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
    // What zstd's own headers allow is known without decompressing: a few bytes that claim a large chunk get
    // no memory.
    let bound = ZSTD_decompressBound(bytes.baseAddress, bytes.count)
    let claimed = ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count)
    // The last two numbers mean unknown and damaged.
    let isKnown = claimed < UInt64.max - 1
    guard bound >= UInt64(byteCount), bound < UInt64.max - 1, !isKnown || claimed <= UInt64(byteCount) else {
      throw RetakeError(.corrupt, "it does not decompress to \(byteCount) bytes.")
    }
    if context == nil { context = ZSTD_createDCtx() }
    guard let context else { throw RetakeError(.inputOutput, "there is no memory for a zstd decoder.") }
    let output = store.bytes(byteCount)
    let size = ZSTD_decompressDCtx(context, output.baseAddress, byteCount, bytes.baseAddress, bytes.count)
    guard ZSTD_isError(size) == 0, size == byteCount else {
      throw RetakeError(.corrupt, "it does not decompress to \(byteCount) bytes.")
    }
    return UnsafeRawBufferPointer(output)
  }
}
