/// What an index may claim. Sums over all streams, of which there are at most 2¹⁶, then still fit 64 bits.
enum RecordingLimits {
  /// Frames, frame sets, and bytes of frames or files: 70 terabytes.
  static let count = 1 << 46
}
