/// What a results file may claim: one from a stranger costs no more memory than what lies in it, and no more than this.
enum SweepLimits {
  static let settings = 1_000_000
  static let recordings = 100_000
  static let parameters = 1_000
  /// Frame sets of a recording, and frames of a run.
  static let frames = 1 << 46
  /// Bytes of a name, a value, a path or a sentence.
  static let textBytes = 64 << 10
  /// Bytes of the words that made a sweep.
  static let wordsBytes = 1 << 20
  /// Pixels.
  static let side = 1 << 16
}
