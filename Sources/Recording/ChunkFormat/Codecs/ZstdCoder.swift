import CZstd
import Support

/// How libzstd compresses. The result is an ordinary zstd frame in either case.
package enum ZstdEffort {
  /// Huffman codes only, with a table for every 2^`blockByteCountLog2` bytes: for residuals, which
  /// hold no matches worth a search. Small blocks adapt to changes within a picture.
  case huffman(blockByteCountLog2: Int32)
  /// Level 1, with match search.
  case matches
  /// The optimal parser with a short search: small, at about 100 MB of depth a second.
  case optimal
}

/// A libzstd compression context, reused between calls.
package final class ZstdCompressor {
  private let context: OpaquePointer

  package init() throws(RetakeError) {
    guard let context = ZSTD_createCCtx() else {
      throw RetakeError(.inputOutput, "There is not enough memory for a zstd encoder.")
    }
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// Found by a search over TUM's depth; longer searches gain 2 % at half the speed.
  private static let optimalParameters: [(ZSTD_cParameter, Int32)] = [
    (ZSTD_c_windowLog, 18), (ZSTD_c_hashLog, 15), (ZSTD_c_chainLog, 16), (ZSTD_c_searchLog, 1), (ZSTD_c_minMatch, 5),
    (ZSTD_c_targetLength, 16),
  ]

  package static func bound(_ byteCount: Int) -> Int { ZSTD_compressBound(byteCount) }

  /// - Returns: the number of bytes written; nil if libzstd fails or `target` is too small.
  package func compress(
    _ source: UnsafeRawBufferPointer, effort: ZstdEffort, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    ZSTD_CCtx_reset(context, ZSTD_reset_parameters)
    switch effort {
    case .huffman(let blockByteCountLog2):
      // At this level, the match search skips everything.
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, -131_072)
      ZSTD_CCtx_setParameter(context, ZSTD_c_experimentalParam5, Int32(ZSTD_ps_enable.rawValue))
      // The window size limits the block size.
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, blockByteCountLog2)
    case .matches:
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
    case .optimal:
      ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, Int32(ZSTD_btopt.rawValue))
      for (parameter, value) in Self.optimalParameters { ZSTD_CCtx_setParameter(context, parameter, value) }
    }
    let size = ZSTD_compress2(
      context, target.baseAddress, target.count, source.baseAddress, source.count)
    return ZSTD_isError(size) == 0 ? size : nil
  }

  /// With match search.
  /// - Returns: nil if libzstd fails.
  package func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: Self.bound(bytes.count))
    let byteCount = bytes.withRawBytes { bytes in
      result.withMutableRawBytes { compress(bytes, effort: .matches, into: $0) }
    }
    guard let byteCount else { return nil }
    result.removeLast(result.count - byteCount)
    return result
  }
}

final class ZstdDecompressor {
  private let context: OpaquePointer

  init() throws(RetakeError) {
    guard let context = ZSTD_createDCtx() else {
      throw RetakeError(.inputOutput, "There is not enough memory for a zstd decoder.")
    }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Decompressed size that the frame header claims, which is untrusted; nil if it has none.
  static func contentSize(_ source: UnsafeRawBufferPointer) -> Int? {
    let size = ZSTD_getFrameContentSize(source.baseAddress, source.count)
    // libzstd's two largest values mean "unknown" and "error".
    return size < UInt64(Int.max) ? Int(size) : nil
  }

  /// - Returns: whether `source` is valid zstd and fills `target` exactly.
  func decompress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
    let size = ZSTD_decompressDCtx(
      context, target.baseAddress, target.count, source.baseAddress, source.count)
    return ZSTD_isError(size) == 0 && size == target.count
  }
}
