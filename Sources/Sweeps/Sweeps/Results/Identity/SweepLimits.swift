/// Limits for a stranger's results file. Memory depends on what a file declares, not on its size:
/// the file stores a value that settings share once, and missing runs not at all.
enum SweepLimits {
  static let settings = 1_000_000
  static let recordings = 100_000
  static let parameters = 1_000
  /// Settings × recordings.
  static let runs = 1 << 24
  /// Settings × parameters.
  static let values = 1 << 27
  /// Frame sets of a recording, and frames of a run.
  static let frames = 1 << 46
  /// Of every text except the command line.
  static let textBytes = 64 << 10
  /// Of the command line that made a sweep.
  static let wordsBytes = 1 << 20
  /// Of a picture's width and height, in pixels.
  static let side = 1 << 16
  /// Of scores and costs. Means, sums and axes of such values stay finite.
  static let magnitude = 1e100

  /// False for NaN too, which SQLite would store as NULL.
  static func holds(_ value: Double) -> Bool { value.magnitude <= magnitude }
}
