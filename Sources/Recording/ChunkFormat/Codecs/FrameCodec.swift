/// How a frame's packed bytes are stored. All are lossless. The raw value is the name in the file; the article
/// FrameCodecs describes the bytes.
package enum FrameCodec: String, CaseIterable, Hashable, Sendable {
  /// As they are: when nothing else is smaller, and for JPEG, which is compressed already.
  case raw
  /// No transform: for frames that are cut short.
  case zstd
  /// 8-bit colour: planes, the residuals of their median prediction, sorted by tiles, zstd.
  case planesMedianTiles = "planes-med-tiles"
  /// RGB24: planes of h ≈ (r + g) / 2, r − g and b − h, sorted by tiles of every second column, zstd.
  case liftedMedianColumns = "lifted-med-columns"
  /// RGB24: the planes as they are, sorted by tiles of every second column, zstd.
  case rgbMedianColumns = "rgb-med-columns"
  /// 8-bit colour in little time: planes, the residuals of their median prediction, in nibbles; no zstd.
  case planesMedianNibbles = "planes-med-nibbles"
  /// Depth: ranks among the frame's distinct values, the residuals of their median prediction, packed as crumbs, zstd.
  case ranksMedianCrumbs = "ranks-med-crumbs"
  /// Depth with too many distinct values: differences, in planes of bytes, zstd.
  case deltaBytes = "delta-bytes"
}

/// What a frame may cost to encode.
package enum EncodingEffort: String, CaseIterable, Hashable, Sendable {
  /// The smallest file.
  case best
  /// Less time for a larger file.
  case fast
  /// A copy.
  case raw
}
