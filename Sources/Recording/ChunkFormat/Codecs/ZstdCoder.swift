import CZstd
import FrameModel
import Support

/// How much libzstd looks for. Whatever it is, the result is an ordinary zstd frame.
enum ZstdEffort {
  /// Huffman codes alone, a table of codes for every block of so many bytes: for residuals, which hold no repetitions
  /// worth looking for. Small blocks follow a picture that changes from place to place.
  case huffman(blockByteCountLog2: Int32)
  /// Level 1, with repetitions.
  case matches
}

/// libzstd with memory that is allocated once.
final class ZstdCompressor {
  private let context: OpaquePointer

  init() throws(RetakeError) {
    guard let context = ZSTD_createCCtx() else {
      throw RetakeError(.inputOutput, "There is no memory for a zstd encoder.")
    }
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  static func bound(_ byteCount: Int) -> Int { ZSTD_compressBound(byteCount) }

  /// - Returns: the bytes of `target` in use; nil where libzstd fails or the room is too small.
  func compress(
    _ source: UnsafeRawBufferPointer, effort: ZstdEffort, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    switch effort {
    case .huffman(let blockByteCountLog2):
      // A level so low that the search for repetitions skips everything.
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, -131_072)
      ZSTD_CCtx_setParameter(context, ZSTD_c_experimentalParam5, Int32(ZSTD_ps_enable.rawValue))
      // A block is never larger than the window.
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, blockByteCountLog2)
    case .matches:
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
      ZSTD_CCtx_setParameter(context, ZSTD_c_experimentalParam5, Int32(ZSTD_ps_auto.rawValue))
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 0)
    }
    let size = ZSTD_compress2(
      context, target.baseAddress, target.count, source.baseAddress, source.count)
    return ZSTD_isError(size) == 0 ? size : nil
  }
}

final class ZstdDecompressor {
  private let context: OpaquePointer

  init() throws(RetakeError) {
    guard let context = ZSTD_createDCtx() else {
      throw RetakeError(.inputOutput, "There is no memory for a zstd decoder.")
    }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// The size that the frame's header gives, which may be a lie; nil without one.
  static func contentSize(_ source: UnsafeRawBufferPointer) -> Int? {
    let size = ZSTD_getFrameContentSize(source.baseAddress, source.count)
    // The two largest values stand for "unknown" and "error".
    return size < UInt64(Int.max) ? Int(size) : nil
  }

  /// - Returns: whether `source` is zstd and gives exactly as many bytes as `target` has.
  func decompress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
    let size = ZSTD_decompressDCtx(
      context, target.baseAddress, target.count, source.baseAddress, source.count)
    return ZSTD_isError(size) == 0 && size == target.count
  }
}
