/// Largest counts accepted from an index. Sums over all streams, at most 2¹⁶, still fit 64 bits.
enum RecordingLimits {
  /// Frames, frame sets, and bytes of frames or files (70 terabytes).
  static let count = 1 << 46
  static let detectors = 1 << 12
  /// Events that only the index has, because the disk failed before they reached a chunk file.
  static let events = 1 << 20
}
