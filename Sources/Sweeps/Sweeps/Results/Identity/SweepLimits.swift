/// What a results file may claim. Memory goes by what it claims: a value that all settings have lies in it once, and a run that
/// is not there has a place in tables too. So a stranger's file costs what these allow, and no more.
enum SweepLimits {
  static let settings = 1_000_000
  static let recordings = 100_000
  static let parameters = 1_000
  /// Settings times recordings.
  static let runs = 1 << 24
  /// Settings times parameters.
  static let values = 1 << 27
  /// Frame sets of a recording, and frames of a run.
  static let frames = 1 << 46
  /// Bytes of a name, a value, a path or a sentence.
  static let textBytes = 64 << 10
  /// Bytes of the words that made a sweep.
  static let wordsBytes = 1 << 20
  /// Pixels.
  static let side = 1 << 16
  /// Of scores and costs. Means, sums and axes of these stay finite.
  static let magnitude = 1e100

  /// False for what is no number, too: SQLite would make NULL of it.
  static func holds(_ value: Double) -> Bool { value.magnitude <= magnitude }
}
