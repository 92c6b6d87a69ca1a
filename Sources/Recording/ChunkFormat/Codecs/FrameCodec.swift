/// Lossless codec of a frame's bytes, named as in the file. See Guides/FrameCodecs.md.
package enum FrameCodec: String, CaseIterable, Hashable, Sendable {
  /// Uncompressed: for JPEG and motion, and where no codec gives a smaller payload.
  case raw
  /// No transform: for frames that are cut short.
  case zstd
  /// 8-bit colour: planes, residuals of median prediction sorted by tile class, zstd.
  case planesMedianTiles = "planes-med-tiles"
  /// RGB24: planes h ≈ (r + g) / 2, r − g, b − h; residuals sorted by column tiles, zstd.
  case liftedMedianColumns = "lifted-med-columns"
  /// RGB24: planes r, g, b; residuals sorted by column tiles, zstd.
  case rgbMedianColumns = "rgb-med-columns"
  /// 8-bit colour, fast: planes, residuals of median prediction packed as nibbles; no zstd.
  case planesMedianNibbles = "planes-med-nibbles"
  /// Depth: ranks of distinct values, residuals of median prediction packed as crumbs, zstd.
  case ranksMedianCrumbs = "ranks-med-crumbs"
  /// Depth with too many distinct values for ranks: differences split into byte planes, zstd.
  case deltaBytes = "delta-bytes"
}

/// Trade-off between encoding time and file size.
package enum EncodingEffort: String, CaseIterable, Hashable, Sendable {
  /// For archives: several ways to compress, of which the smallest payload is kept.
  case smallest
  case best
  case fast
  case raw
}
