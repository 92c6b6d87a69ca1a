/// What an index may claim. Sums over all streams, of which there are at most 2¹⁶, then still fit 64 bits.
enum RecordingLimits {
  /// Frames, frame sets, and bytes of frames or files: 70 terabytes.
  static let count = 1 << 46
  /// Detectors of faces that looked at streams; sums over them fit too.
  static let detectors = 1 << 12
  /// Events that only an index has, which a failing disk left.
  static let events = 1 << 20
}
